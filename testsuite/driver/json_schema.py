# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What of JSON Schema docs/run.schema.json uses: a list of what is wrong with a value."""

types = {"object": dict, "array": list, "string": str, "boolean": bool}


def is_a(value, name):
    if name in ("integer", "number"):
        kinds = int if name == "integer" else (int, float)
        return isinstance(value, kinds) and not isinstance(value, bool)
    return isinstance(value, types[name])


def wrong(value, schema, whole=None, place="run"):
    whole = whole or schema
    while "$ref" in schema:
        schema = whole["$defs"][schema["$ref"].removeprefix("#/$defs/")]
    if "const" in schema and value != schema["const"]:
        return [f"{place} is {value!r}"]
    if "type" in schema and not is_a(value, schema["type"]):
        return [f"{place} is no {schema['type']}: {value!r}"]
    problems = []
    if "minimum" in schema and value < schema["minimum"]:
        problems.append(f"{place} is {value}")
    if isinstance(value, dict):
        known = schema.get("properties", {})
        problems += [f"{place} has no '{key}'" for key in schema.get("required", []) if key not in value]
        if schema.get("additionalProperties") is False:
            problems += [f"{place} has a '{key}'" for key in value if key not in known]
        for key in value.keys() & known.keys():
            problems += wrong(value[key], known[key], whole, f"{place}.{key}")
    if isinstance(value, list) and "items" in schema:
        for k, each in enumerate(value):
            problems += wrong(each, schema["items"], whole, f"{place}[{k}]")
    return problems
