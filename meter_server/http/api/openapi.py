"""The OpenAPI document, written from the declarations."""

import re
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from meter_server.http.api.endpoints import Endpoint, Family

Document = dict[str, Any]

_REF = "#/components/schemas/{model}"
_WITH_BODY = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    HTTPStatus.UNPROCESSABLE_ENTITY,
)
_EVERY_REFUSAL = (
    HTTPStatus.UNAUTHORIZED,
    HTTPStatus.FORBIDDEN,
    HTTPStatus.NOT_FOUND,
    HTTPStatus.CONFLICT,
    *_WITH_BODY,
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.SERVICE_UNAVAILABLE,
)
_ALWAYS = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
_FLASK_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


class ProblemShown(BaseModel):
    """Why a request was refused (RFC 9457). Some refusals say more in members of their own."""

    model_config = ConfigDict(title="Problem")

    type: str
    title: str
    status: int
    detail: str = Field(description="One sentence that says what is wrong and what to do.")
    request_id: str = Field(description="Tell it to the operator; the log has it too.")
    kind: str | None = Field(default=None, description="The kind of a refusal by the rules.")
    rule: str | None = Field(default=None, description="The rule that refuses.")
    remedy: str | None = Field(default=None, description="What to do instead.")


def document(families: Iterable[Family], security: Document) -> Document:
    """Everything that is declared, as OpenAPI 3.1."""
    families = list(families)
    endpoints = [endpoint for family in families for endpoint in family.endpoints]
    schemas, definitions = _schemas(endpoints)
    paths: Document = {}
    for endpoint in endpoints:
        path = _FLASK_PARAMETER.sub(r"{\1}", endpoint.path)
        paths.setdefault(path, {})[endpoint.method.lower()] = _operation(endpoint, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Prize Meter",
            "version": "1",
            "description": "Progressive jackpots for casino table games. See docs/api.md.",
        },
        "tags": [{"name": family.name, "description": family.description} for family in families],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(definitions.items())),
            "responses": _problems(schemas[ProblemShown, "serialization"]),
            "securitySchemes": security,
        },
    }


def _schemas(endpoints: Iterable[Endpoint]) -> tuple[dict[Any, Any], Document]:
    wanted: dict[tuple[type[BaseModel], JsonSchemaMode], None] = {
        (ProblemShown, "serialization"): None
    }
    for endpoint in endpoints:
        if endpoint.body is not None:
            wanted[endpoint.body, "validation"] = None
        if endpoint.answer is not None:
            wanted[endpoint.answer, "serialization"] = None
    schemas, definitions = models_json_schema(list(wanted), ref_template=_REF)
    return schemas, definitions["$defs"]


def _operation(endpoint: Endpoint, schemas: dict[Any, Any]) -> Document:
    operation: Document = {
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "tags": [endpoint.family],
        "security": [{scheme: []} for scheme in endpoint.guard.security],
        "parameters": _parameters(endpoint),
        "responses": _responses(endpoint, schemas),
    }
    if endpoint.body is not None:
        schema = schemas[endpoint.body, "validation"]
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": schema}},
        }
    return operation


def _parameters(endpoint: Endpoint) -> list[Document]:
    found = [
        {"name": name, "in": "path", "required": True, "schema": TypeAdapter(kind).json_schema()}
        for name, kind in endpoint.in_path.items()
    ]
    if endpoint.query is not None:
        schema = endpoint.query.model_json_schema()
        required = schema.get("required", ())
        found += [
            {"name": name, "in": "query", "required": name in required, "schema": _plain(field)}
            for name, field in schema["properties"].items()
        ]
    found += [
        {"name": name, "in": "header", "required": True, "schema": schema}
        for name, schema in endpoint.guard.headers.items()
    ]
    return found


def _plain(schema: Document) -> Document:
    """A query parameter that is not there is left out; it cannot be null."""
    choices = [choice for choice in schema.get("anyOf", ()) if choice != {"type": "null"}]
    if len(choices) != 1:
        return schema
    rest = {key: value for key, value in schema.items() if key not in ("anyOf", "default")}
    return {**choices[0], **rest}


def _responses(endpoint: Endpoint, schemas: dict[Any, Any]) -> Document:
    done: Document = {"description": HTTPStatus(endpoint.status).phrase}
    if endpoint.answer is not None:
        schema = schemas[endpoint.answer, "serialization"]
        done["content"] = {"application/json": {"schema": schema}}
    statuses = {*endpoint.guard.refuses, *endpoint.refuses, *_ALWAYS}
    if endpoint.body is not None:
        statuses |= set(_WITH_BODY)
    if endpoint.query is not None:
        statuses.add(HTTPStatus.UNPROCESSABLE_ENTITY)
    if endpoint.in_path:
        statuses.add(HTTPStatus.NOT_FOUND)
    refused = {
        str(int(status)): {"$ref": f"#/components/responses/{_response_name(status)}"}
        for status in sorted(statuses)
    }
    return {str(int(endpoint.status)): done, **refused}


def _problems(schema: Document) -> Document:
    """Every status with which a request can be refused."""
    content = {"application/problem+json": {"schema": schema}}
    return {
        _response_name(status): {"description": status.phrase, "content": content}
        for status in HTTPStatus
        if status in _EVERY_REFUSAL
    }


def _response_name(status: HTTPStatus) -> str:
    return HTTPStatus(status).phrase.replace(" ", "")
