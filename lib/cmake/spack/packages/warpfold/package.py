"""Spack's recipe for warpfold: `spack repo add` the folder lib/cmake/spack, then `spack install warpfold`.

Follows Spack 1.x. The project builds it by no test.
"""

from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class Warpfold(CMakePackage, CudaPackage):
    """GPU reductions and numerical cores whose sums have the same bits everywhere."""

    # The repository's address, once it has one.
    homepage = "https://example.org/warpfold"
    git = "https://example.org/warpfold.git"

    license("MIT", checked_by="warpfold")

    version("main", branch="main")

    variant("cuda", default=True, description="Always: the library is for GPUs and hosts alike")
    variant("cufft", default=True, description="Poisson's solver for lengths that cuFFT alone can do")
    variant("fftw", default=False, description="FFTW among the twins; programs that link them are then under the GPL")
    variant("nccl", default=False, description="Groups of GPUs")
    variant("nvrtc", default=True, description="Poisson's kernels for lengths that a program names")
    variant("twins", default=False, description="The vendors' code beside ours, to compare with")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("cuda@13:")
    depends_on("fftw@3: precision=float,double", when="+fftw")
    depends_on("nccl", when="+nccl")

    conflicts("~cuda", msg="warpfold is compiled by nvcc; no GPU is needed to build or to run it")

    def cmake_args(self):
        def switch(name):
            return self.define(f"WARPFOLD_{name.upper()}", f"+{name}" in self.spec)

        targets = self.spec.variants["cuda_arch"].value
        args = [switch(name) for name in ("cufft", "fftw", "nccl", "nvrtc", "twins")]
        args += [self.define(f"WARPFOLD_{part}", False)
                 for part in ("TESTS", "TOUR", "BENCHMARKS", "EXAMPLES")]
        if "none" not in targets:
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", list(targets)))
        return args
