/**
 * A program on the classes that quicktype generates into `meadow_types.py`. It reads each path of its standard input,
 * makes an object of the class of its answer and JSON of that again, and prints what the two have not in common.
 */
export const PYTHON_CLIENT = `
import json, sys, urllib.request
import meadow_types

given = json.load(sys.stdin)


def read(path):
    headers = {"Authorization": "Bearer " + given["token"]}
    with urllib.request.urlopen(urllib.request.Request(given["api"] + path, headers=headers)) as response:
        return json.load(response)


def differences(one, other, where):
    if isinstance(one, dict) and isinstance(other, dict):
        for key in one.keys() | other.keys():
            yield from differences(one.get(key), other.get(key), where + "." + key)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, pair in enumerate(zip(one, other)):
            yield from differences(*pair, where + "[" + str(index) + "]")
    elif one != other:
        yield [where, one, other]


lost = []
for path, name in given["paths"]:
    answer = read(path)
    kind = getattr(meadow_types, name)
    lost.extend(differences(answer, kind.from_dict(answer).to_dict(), path))
print(json.dumps(lost[:10]))
`
