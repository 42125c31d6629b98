"""The constructor of `Module` creates seventeen attributes."""
# covers: module.internals

from torch import nn

module = nn.Module()
for name, value in vars(module).items():
    print(f"{name:32} {type(value).__name__}")
#> training                         bool
#> _parameters                      dict
#> _buffers                         dict
#> _non_persistent_buffers_set      set
#> _backward_pre_hooks              OrderedDict
#> _backward_hooks                  OrderedDict
#> _is_full_backward_hook           NoneType
#> _forward_hooks                   OrderedDict
#> _forward_hooks_with_kwargs       OrderedDict
#> _forward_hooks_always_called     OrderedDict
#> _forward_pre_hooks               OrderedDict
#> _forward_pre_hooks_with_kwargs   OrderedDict
#> _state_dict_hooks                OrderedDict
#> _state_dict_pre_hooks            OrderedDict
#> _load_state_dict_pre_hooks       OrderedDict
#> _load_state_dict_post_hooks      OrderedDict
#> _modules                         dict

print(nn.Module._version, nn.Module.dump_patches, nn.BatchNorm2d._version)
#> 1 False 2
print("_version" in vars(module), "dump_patches" in vars(module))
#> False False
