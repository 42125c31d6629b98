"""`MomentumScheduler`: the base class of schedules that also change the momentum."""

from __future__ import annotations

from typing import Any

from reference_impl.optim.lr_scheduler.scheduler import LRScheduler, per_group


class MomentumScheduler(LRScheduler):
    """A schedule that sets the momentum of each group, or the first beta of an optimizer with betas."""

    def _begin_momentum(self, base: Any, highest: Any, is_new: bool) -> tuple[list[Any], list[Any]]:
        """Check that the optimizer has a momentum. In a new schedule, set the momentum to `highest`.

        Returns:
            The base momentum and the highest momentum of each group.
        """
        defaults = self.optimizer.defaults
        if "momentum" not in defaults and "betas" not in defaults:
            raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
        self.use_beta1 = "betas" in defaults
        base_momentums = per_group("base_momentum", self.optimizer, base)
        max_momentums = per_group("max_momentum", self.optimizer, highest)
        if is_new:
            for high, low, group in zip(max_momentums, base_momentums, self.optimizer.param_groups, strict=True):
                self._set_momentum(group, high)
                group["max_momentum"] = high
                group["base_momentum"] = low
        return base_momentums, max_momentums

    def _set_momentum(self, group: dict[str, Any], momentum: Any) -> None:
        if self.use_beta1:
            group["betas"] = (momentum, *group["betas"][1:])
        else:
            group["momentum"] = momentum
