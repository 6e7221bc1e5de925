# Not tried.  libnvidia-ml.so.1 is in /run/opengl-driver/lib, where the loader
# does not look: --counters gpu needs LD_LIBRARY_PATH.
{ lib, stdenv, fetchurl, lz4, pcre2, sqlite, zlib, zstd, cudaPackages ? null }:

stdenv.mkDerivation rec {
  pname = "tq-gpu";
  version = "0.1.0";
  src = fetchurl {
    url = "RELEASES/tq-${version}.tar.gz";
    hash = lib.fakeHash;
  };
  buildInputs = [ lz4 pcre2 sqlite zlib zstd ]
    ++ lib.optional (cudaPackages != null) cudaPackages.cuda_cupti;
  makeFlags = [ "PREFIX=${placeholder "out"}" "CC=${stdenv.cc.targetPrefix}cc" ];
  enableParallelBuilding = true;
  doCheck = false; # the tests want bats and jq
  meta = {
    description = "Unix filters for GPU timelines";
    license = lib.licenses.mit;
    platforms = [ "x86_64-linux" "aarch64-linux" ];
    mainProgram = "tq";
  };
}
