"""Early stopping with a patience of three epochs, on ten validation losses."""

validation_losses = [0.90, 0.60, 0.50, 0.55, 0.48, 0.50, 0.52, 0.49, 0.47, 0.60]
patience = 3

lowest, best_epoch = float("inf"), None
for epoch, loss in enumerate(validation_losses):
    if loss < lowest:
        lowest, best_epoch = loss, epoch  # a training program also keeps a copy of the weights
    elif epoch - best_epoch == patience:
        break
print(epoch, best_epoch)
#> 7 4
