# Not tried.
from spack.package import *


class TqGpu(MakefilePackage):
    """Unix filters for GPU timelines."""

    url = "RELEASES/tq-0.1.0.tar.gz"
    version("0.1.0", sha256="FILL_IN")
    license("MIT")
    variant("cuda", default=False, description="Record CUDA, by CUPTI")
    depends_on("c", type="build")
    depends_on("gmake", type="build")
    depends_on("lz4")
    depends_on("pcre2")
    depends_on("sqlite")
    depends_on("zlib-api")
    depends_on("zstd")
    depends_on("cuda", when="+cuda")
    requires("platform=linux")

    def settings(self):
        if self.spec.satisfies("+cuda"):
            return ["CUDA_HOME=" + self.spec["cuda"].prefix]
        return ["CUPTI_INC="]

    def build(self, spec, prefix):
        make("all", *self.settings())

    def install(self, spec, prefix):
        make("install", "PREFIX=" + prefix, *self.settings())
