# Each example below runs as if it were the only one: `begin_afresh()` undoes what earlier examples changed.
def _make_begin_afresh(names):
    import gc
    import os
    import random
    import sys
    import tempfile
    import warnings
    from types import ModuleType

    import numpy
    import torch

    def parts():
        """Return the modules, and the public classes of torch, whose attributes an example may replace."""
        roots = ("torch", "numpy", "builtins", "os", "sys", "random", "time", "warnings")
        modules = [m for name, m in sys.modules.items() if name.split(".")[0] in roots and isinstance(m, ModuleType)]
        public_modules = (torch, torch.nn, torch.optim, torch.autograd, torch.utils.data)
        return modules + [kind for module in public_modules for kind in vars(module).values() if isinstance(kind, type)]

    threads, print_options, filters = torch.get_num_threads(), numpy.get_printoptions(), list(warnings.filters)
    environment, path, initial_modules = dict(os.environ), list(sys.path), set(sys.modules)
    saved_attributes = [(p, {n: v for n, v in vars(p).items() if callable(v) or type(v) is property}) for p in parts()]

    def begin_afresh():
        for name in [name for name in names if not name.startswith("_")]:
            del names[name]
        names.update(initial_names)
        for part, values in saved_attributes:
            for name, value in values.items():
                if vars(part).get(name) is not value and "hook" not in name:
                    setattr(part, name, value)
        sys.path[:], warnings.filters[:] = path, filters
        os.environ.clear()
        os.environ.update(environment)
        folder = os.getcwd()
        files = {name: getattr(module, "__file__", None) or "" for name, module in sys.modules.items()}
        for name in [n for n, file in files.items() if file.startswith(folder) and n not in initial_modules]:
            del sys.modules[name]
        os.chdir(tempfile.mkdtemp())
        for module in list(sys.modules.values()):
            vars(module).pop("__warningregistry__", None) if isinstance(module, ModuleType) else None
        torch.set_default_dtype(torch.float32)
        torch.set_default_device(None)
        torch.set_grad_enabled(True)
        torch.autograd.set_detect_anomaly(False)
        torch.use_deterministic_algorithms(False)
        torch.set_num_threads(threads)
        torch.set_printoptions(profile="default")
        numpy.set_printoptions(**print_options)
        for seed in (torch.seed, numpy.random.seed, random.seed):
            seed()
        gc.enable()
        gc.collect()

    initial_names = {name: value for name, value in names.items() if not name.startswith("_")}
    initial_names["begin_afresh"] = begin_afresh
    names["_python"] = sys.executable  # runs the examples that are separate programs
    return begin_afresh


begin_afresh = _make_begin_afresh(globals())
