# Not tried.
class TqGpu < Formula
  desc "Unix filters for GPU timelines"
  url "RELEASES/tq-0.1.0.tar.gz"
  sha256 "FILL_IN"
  license "MIT"
  depends_on :linux
  depends_on "lz4"
  depends_on "pcre2"
  depends_on "sqlite"
  depends_on "zlib"
  depends_on "zstd"

  def install
    system "make", "install", "PREFIX=#{prefix}", "CC=#{ENV.cc}"
  end

  test do
    assert_match "tq #{version}", shell_output("#{bin}/tq --version")
  end
end
