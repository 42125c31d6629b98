"""`+=` makes a new Python number, but changes a list in place."""
# covers: inplace.definition

i = 1000
before = id(i)
i += 1
print(id(i) == before)
#> False

numbers = [1, 2]
before = id(numbers)
numbers += [3]
print(id(numbers) == before)
#> True

t = (1, 2)
u = t
t += (3,)
print(t, u)
#> (1, 2, 3) (1, 2)
