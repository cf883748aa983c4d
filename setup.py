"""Packaging of tensorboard-memleak; tools are configured in pyproject.toml."""

import re
from pathlib import Path

from setuptools import find_packages, setup

HERE = Path(__file__).parent
VERSION = re.search(r'__version__ = "(.+)"', (HERE / "tensorboard_memleak/__init__.py").read_text())
assert VERSION, "tensorboard_memleak/__init__.py must define __version__"

setup(
    name="tensorboard-memleak",
    version=VERSION.group(1),
    description="Leak Finder: a TensorBoard plugin that names what leaks device memory",
    long_description=(HERE / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    license="Apache-2.0",
    python_requires=">=3.10",
    packages=find_packages(include=["tensorboard_memleak", "tensorboard_memleak.*"]),
    package_data={
        "tensorboard_memleak": [
            "static/**",
            "onefile/*.js",
            "schema/*.json",
            "py.typed",
            "readers/proto/*.pyi",
        ]
    },
    install_requires=[
        "tensorboard>=2.19,<3",
        "tensorboard-plugin-profile>=2.20,<3",
        "werkzeug>=2.2,<4",
        "protobuf>=4.25,<8",
        "numpy>=1.24,<3",
        "fsspec>=2024.10",
        "tomli>=2; python_version < '3.11'",  # the standard library has it from 3.11 on
    ],
    entry_points={
        "tensorboard_plugins": ["leak_finder = tensorboard_memleak.loader:LeakFinderLoader"],
        "console_scripts": ["memleak = tensorboard_memleak.cli:main"],
    },
    classifiers=[
        "License :: OSI Approved :: Apache Software License",
        "Operating System :: OS Independent",
        "Programming Language :: Python :: 3",
        "Topic :: Scientific/Engineering :: Artificial Intelligence",
        "Topic :: Software Development :: Debuggers",
        "Typing :: Typed",
    ],
)
