"""Ready-made parametrizations: weights of a given length, of spectral norm 1, with orthogonal columns."""

from __future__ import annotations

from typing import Any

from reference_impl._tensor import Tensor
from reference_impl._type_info import finfo
from reference_impl.autograd.grad_mode import no_grad
from reference_impl.nn.modules.conv import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from reference_impl.nn.modules.module import Module
from reference_impl.nn.utils.parametrize import register_parametrization
from reference_impl.ops.distance import normalize
from reference_impl.ops.linalg_householder import geqrf, householder_product
from reference_impl.ops.linalg_solve import solve
from reference_impl.ops.registry import functions
from reference_impl.ops.weight_norm import _weight_norm, norm_except_dim

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]

_eye = functions["eye"]


def _tensor_of(module: Module, name: str) -> Tensor:
    tensor = getattr(module, name, None)
    if not isinstance(tensor, Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    return tensor


# -- weight normalisation


class _WeightNorm(Module):
    """weight = g · v / |v|; the originals are g (`original0`) and v (`original1`)."""

    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Tensor, weight_v: Tensor) -> Tensor:
        return _weight_norm(weight_v, weight_g, self.dim)

    def right_inverse(self, weight: Tensor) -> tuple[Tensor, Tensor]:
        """Its norms as g, and the weight itself as v."""
        return norm_except_dim(weight, 2, self.dim), weight


def weight_norm(module: Module, name: str = "weight", dim: int | None = 0) -> Module:
    """Let the lengths of a weight's slices along `dim`, and their directions, be trained apart; with None one length for all.

    See Salimans and Kingma 2016, "Weight normalization". States saved with the older `nn.utils.weight_norm` can be loaded.

    Returns:
        `module`.
    """
    register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def rename_older(state_dict: dict[str, Any], prefix: str, *_: Any) -> None:
        older = f"{prefix}{name}_g", f"{prefix}{name}_v"
        if all(key in state_dict for key in older):
            for i, key in enumerate(older):
                state_dict[f"{prefix}parametrizations.{name}.original{i}"] = state_dict.pop(key)

    module._register_load_state_dict_pre_hook(rename_older)
    return module


# -- spectral normalisation


class _SpectralNorm(Module):
    """weight / σ, σ the largest singular value, estimated by u · W v: W v and Wᵀ u, each normalised, turn u and v towards the
    first singular vectors. A vector is divided by its norm."""

    def __init__(self, weight: Tensor, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        super().__init__()
        ndim = weight.ndim
        if not -ndim <= dim < ndim:
            raise IndexError(f"Dimension out of range (expected to be in range of [-{ndim}, {ndim - 1}] but got {dim})")
        if n_power_iterations <= 0:
            raise ValueError(
                f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}"
            )
        self.dim = dim % ndim
        self.eps = eps
        if ndim > 1:
            self.n_power_iterations = n_power_iterations
            matrix = self._as_matrix(weight)
            u, v = (matrix.new_empty(n).normal_(0, 1) for n in matrix.shape)
            self.register_buffer("_u", normalize(u, dim=0, eps=eps))
            self.register_buffer("_v", normalize(v, dim=0, eps=eps))
            self._power_method(matrix, 15)

    def _as_matrix(self, weight: Tensor) -> Tensor:
        if self.dim != 0:
            weight = weight.permute(self.dim, *[d for d in range(weight.ndim) if d != self.dim])
        return weight.flatten(1)

    @no_grad()
    def _power_method(self, matrix: Tensor, n_power_iterations: int) -> None:
        for _ in range(n_power_iterations):
            normalize(matrix.mv(self._v), dim=0, eps=self.eps, out=self._u)
            normalize(matrix.mT.mv(self._u), dim=0, eps=self.eps, out=self._v)

    def forward(self, weight: Tensor) -> Tensor:
        if weight.ndim == 1:
            return normalize(weight, dim=0, eps=self.eps)
        matrix = self._as_matrix(weight)
        if self.training:
            self._power_method(matrix, self.n_power_iterations)
        # Copies, since the next call changes the vectors in place, and a graph of this one may still need them.
        u, v = self._u.clone(), self._v.clone()
        return weight / u.vdot(matrix.mv(v))

    def right_inverse(self, value: Tensor) -> Tensor:
        """`value`, whatever its norm."""
        return value


def spectral_norm(
    module: Module, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Module:
    """Divide a weight by its largest singular value, of which each call in training mode improves the estimate.

    See Miyato et al. 2018, "Spectral normalization for generative adversarial networks".

    Args:
        dim: which dimension numbers the outputs; the others are taken together. None: 1 for transposed convolutions, otherwise 0.

    Returns:
        `module`.

    Raises:
        ValueError: there is no such tensor, or no iteration is wanted.
        IndexError: no such dimension.
    """
    weight = _tensor_of(module, name)
    if dim is None:
        dim = 1 if isinstance(module, (ConvTranspose1d, ConvTranspose2d, ConvTranspose3d)) else 0
    return register_parametrization(module, name, _SpectralNorm(weight, n_power_iterations, dim, eps))


# -- orthogonal matrices


def _is_orthogonal(q: Tensor) -> bool:
    n, k = q.shape[-2:]
    eye = _eye(k, dtype=q.dtype, device=q.device)
    return functions["allclose"](q.mT @ q, eye, atol=10.0 * n * finfo(q.dtype).eps)


def _make_orthogonal(a: Tensor) -> Tensor:
    """The Q of A = Q R with a positive diagonal of R, for a tall A."""
    x, tau = geqrf(a)
    return householder_product(x, tau) * _diagonal(x).sgn().unsqueeze(-2)


def _diagonal(x: Tensor) -> Tensor:
    return x.diagonal(dim1=-2, dim2=-1)


class _Orthogonal(Module):
    """base · map(X), `map` from any matrix X to orthogonal ones; a wide matrix is the transpose of a tall one.

    With A = L - Lᵀ, L the lower triangle of X: exp(A), or Cayley's (I - A/2)⁻¹ (I + A/2); or else the product of the Householder
    reflections whose vectors stand below the diagonal of X, with the signs that stand on it.
    """

    base: Any

    def __init__(self, weight: Tensor, orthogonal_map: str, *, use_trivialization: bool = True) -> None:
        super().__init__()
        self.shape = weight.shape
        self.orthogonal_map = orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, X: Tensor) -> Tensor:
        transposed = X.shape[-2] < X.shape[-1]
        if transposed:
            X = X.mT
        q = self._by_reflections(X) if self.orthogonal_map == "householder" else self._by_skew_matrix(X)
        if hasattr(self, "base"):
            q = self.base @ q
        return q.mT if transposed else q

    @staticmethod
    def _by_reflections(x: Tensor) -> Tensor:
        vectors = x.tril(-1)
        tau = 2.0 / (1.0 + (vectors * vectors).sum(-2))
        # As whole numbers, so that no gradient reaches the signs.
        return householder_product(vectors, tau) * _diagonal(x).int().unsqueeze(-2)

    def _by_skew_matrix(self, x: Tensor) -> Tensor:
        n, k = x.shape[-2:]
        lower = x.tril()
        if n != k:
            beside = x.new_zeros(n, n - k).expand(*x.shape[:-2], -1, -1)
            lower = functions["cat"]([lower, beside], -1)
        a = lower - lower.mT
        if self.orthogonal_map == "matrix_exp":
            q = a.matrix_exp()
        else:
            eye = _eye(n, dtype=a.dtype, device=a.device)
            q = solve(eye.add(a, alpha=-0.5), eye.add(a, alpha=0.5))
        return q if n == k else q[..., :k]

    @no_grad()
    def right_inverse(self, Q: Tensor) -> Tensor:
        """The X that gives Q, made orthogonal if it is not; -I where the base takes over all of Q.

        Raises:
            ValueError: another shape.
            NotImplementedError: there is no base, and the map cannot be inverted.
        """
        if Q.shape != self.shape:
            raise ValueError(
                f"Expected a matrix or batch of matrices of shape {self.shape}. Got a tensor of shape {Q.shape}."
            )
        transposed = Q.shape[-2] < Q.shape[-1]
        tall = Q.mT if transposed else Q
        if hasattr(self, "base"):
            self.base = self._base_for(tall)
            x = functions["zeros_like"](Q)
            _diagonal(x).fill_(-1.0)  # for "householder": below a diagonal of signs the vectors 0 stand for -I
            return x
        if self.orthogonal_map != "householder":
            raise NotImplementedError(
                "It is not possible to assign to the matrix exponential or the Cayley parametrizations when "
                "use_trivialization=False."
            )
        x, tau = geqrf(tall)
        signs = _diagonal(x).sign()
        # LAPACK says by τ = 0 that it left a reflection out.
        _diagonal(x).copy_(functions["where"](tau == 0.0, -signs, signs))
        return x.mT if transposed else x

    @staticmethod
    def _base_for(q: Tensor) -> Tensor:
        """A square orthogonal matrix that begins with the columns of `q`, the rest of them at random."""
        n, k = q.shape[-2:]
        if n == k:
            return q.clone() if _is_orthogonal(q) else _make_orthogonal(q)
        more = functions["randn"](*q.shape[:-2], n, n - k, dtype=q.dtype, device=q.device)
        return _make_orthogonal(functions["cat"]([q, more], -1))


def orthogonal(
    module: Module, name: str = "weight", orthogonal_map: str | None = None, *, use_trivialization: bool = True
) -> Module:
    """Keep the columns of a weight (..., m, n) orthonormal, or the rows if m < n.

    Args:
        orthogonal_map: "matrix_exp", "cayley" or "householder"; None: the first for square matrices, otherwise the last.
        use_trivialization: begin from the present weight, made orthogonal, and train what is multiplied to it (Lezcano Casado 2019,
            "Trivializations for gradient-based optimization on manifolds").

    Returns:
        `module`.

    Raises:
        ValueError: there is no such tensor, it is no matrix, or an unknown map.
    """
    weight = _tensor_of(module, name)
    if weight.ndim < 2:
        raise ValueError(f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions.")
    if orthogonal_map is None:
        orthogonal_map = "matrix_exp" if weight.shape[-2] == weight.shape[-1] else "householder"
    if orthogonal_map not in ("matrix_exp", "cayley", "householder"):
        raise ValueError(
            f'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: {orthogonal_map}'
        )
    made = _Orthogonal(weight, orthogonal_map, use_trivialization=use_trivialization)
    return register_parametrization(module, name, made, unsafe=True)
