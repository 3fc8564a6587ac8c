"""llama.cpp's own server out of the package xllamacpp, behind the arguments of the `llama-server` program that Plumbline gives."""
import argparse
import os
import threading

import xllamacpp

arguments = argparse.ArgumentParser(allow_abbrev=False)
arguments.add_argument("--model", required=True)
arguments.add_argument("--alias", required=True)
arguments.add_argument("--host", required=True)
arguments.add_argument("--port", type=int, required=True)
arguments.add_argument("--ctx-size", type=int, required=True)
arguments.add_argument("--parallel", type=int, required=True)
arguments.add_argument("--threads", type=int)
given = arguments.parse_args()

params = xllamacpp.CommonParams()
params.model.path = given.model
params.model_alias = {given.alias}
params.hostnames = [given.host]
params.port = given.port
params.n_ctx = given.ctx_size
params.n_parallel = given.parallel
if given.threads is not None:
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = given.threads
if key := os.environ.get("LLAMA_API_KEY"):
    params.api_keys = [key]
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
threading.Event().wait()
