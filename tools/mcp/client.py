"""Visits a Be Civic server as a host of an agent would, with the official Python client, and prints what it met as JSON.

The same visits and the same report as client.mjs; here the files of skills are held against their digests by hand.

Usage: python client.py --server URL --program BECIVIC --corpus FOLDER
"""

import argparse
import asyncio
import hashlib
import json
import os
import pathlib
import re
import time
from datetime import datetime, timezone
from typing import Any

import mcp_types as types
from jsonschema import Draft202012Validator
from mcp import Client, StdioServerParameters
from mcp.client import advertise

NEWEST = "2026-07-28"
SKILLS = "io.modelcontextprotocol/skills"

# A skill that examples of tools name, too; and what a template takes that nothing completes.
SKILL = "change-of-address"
ENTRIES = {"value": "val-00001", "reference": "ref-00001"}

# What each tool is sent, of the fixtures; the rest are called with the example of their description.
FIXTURES = pathlib.Path(__file__).parent.parent.parent / "fixtures"
SENT = {
    "submit_concern": "concerns/valid/skill-general-without-context.json",
    "submit_amendment": "amendments/valid/volatile_value/value-as-string.json",
    "submit_validation": "validations/valid/skill-confirm.json",
    "submit_draft": "drafts/valid/path/two-sources.json",
    "submit_feedback": "feedback_channel/valid/without-topic-and-pointer.json",
    "submit_rating": "ratings/valid/skill-four-stars.json",
}


async def main() -> None:
    given = argparse.ArgumentParser()
    for name in ("--server", "--program", "--corpus"):
        given.add_argument(name, required=True)
    args = given.parse_args()
    http = args.server.rstrip("/") + "/mcp"
    proxy = StdioServerParameters(command=args.program, args=["mcp", "--server", args.server])
    folder = StdioServerParameters(command=args.program, args=["mcp", "--corpus", args.corpus])
    visits = [
        await visit("http", http, "auto"),
        await visit("http-older", http, "legacy"),
        await visit("proxy", proxy, "auto"),
        await visit("folder", folder, "auto"),
        await visit("folder-older", folder, "legacy"),
    ]
    print(json.dumps({"client": "python", "visits": visits}))


async def visit(over: str, server: str | StdioServerParameters, mode: str) -> dict[str, Any]:
    began = time.monotonic()
    met: dict[str, Any] = {"over": over, "problems": []}
    try:
        # Without its cache every answer comes from the server.
        async with Client(server, mode=mode, cache=None, extensions=[advertise(SKILLS)]) as client:
            met["version"] = client.protocol_version
            met["server"] = client.server_info.name if client.server_info else None
            met["instructed"] = bool(client.instructions)
            met["tools"] = await call_tools(client, met["problems"])
            # Every one, or some of all kinds.
            step = 1 if over == "http" else 7
            met |= await read_resources(client, step, met["problems"])
            met["prompts"] = await get_prompts(client)
            met["skills"] = await load_skills(client, step, met["problems"])
            if met["version"] == NEWEST:
                met["listening"] = await listen(client)
            if "stage_submission" in met["tools"]:
                met["round"] = await send_and_take_back(client)
    except Exception as error:  # whatever it is, it is told
        met["problems"] += causes(error)
    met["milliseconds"] = round((time.monotonic() - began) * 1000)
    return met


def causes(error: BaseException) -> list[str]:
    if isinstance(error, BaseExceptionGroup):
        return [cause for inner in error.exceptions for cause in causes(inner)]
    return [f"{type(error).__name__}: {error}"]


async def call_tools(client: Client, problems: list[str]) -> dict[str, str | None]:
    """Calls every tool that is listed: null where it answered well, the category of the refusal otherwise."""
    met: dict[str, str | None] = {}
    for tool in (await client.list_tools()).tools:
        for needed in ("title", "description", "input_schema", "annotations"):
            if not getattr(tool, needed):
                problems.append(f"{tool.name} has no {needed}")
        for schema in (tool.input_schema, tool.output_schema):
            # Its patterns are compiled, too: what Python cannot read is no schema here.
            Draft202012Validator.check_schema(schema or {}, format_checker=Draft202012Validator.FORMAT_CHECKER)
        if tool.name in ("cancel_submission", "stage_submission"):
            met[tool.name] = "called later"
            continue
        met[tool.name] = refusal(await client.call_tool(tool.name, arguments_of(tool)))
    return met


def arguments_of(tool: types.Tool) -> dict[str, Any]:
    if tool.name in SENT:
        return {"mode": "validate", "submission": fixture(SENT[tool.name])}
    if tool.name == "validate_submission":
        return {"envelope": envelope([fixture(SENT["submit_concern"])])}
    return json.loads((tool.description or "").split("Example: ")[-1])


def refusal(result: types.CallToolResult) -> str | None:
    if not result.is_error:
        return None if result.structured_content is not None else "no structured content"
    return json.loads(result.content[0].text)["error"]


async def read_resources(client: Client, step: int, problems: list[str]) -> dict[str, Any]:
    listed: list[types.Resource] = []
    cursor = None
    while True:
        page = await client.list_resources(cursor=cursor)
        listed += page.resources
        cursor = page.next_cursor
        if cursor is None:
            break
    for resource in listed[::step]:
        content = (await client.read_resource(resource.uri)).contents[0]
        if not content.text:
            problems.append(f"{resource.uri} is empty")
        if content.mime_type != resource.mime_type:
            problems.append(f"{resource.uri} is {content.mime_type}, not {resource.mime_type}")
    templates: dict[str, int] = {}
    for template in (await client.list_resource_templates()).resource_templates:
        argument = re.search(r"\{(\w+)\}", template.uri_template).group(1)
        ref = types.ResourceTemplateReference(type="ref/resource", uri=template.uri_template)
        completed = await client.complete(ref, {"name": argument, "value": ""})
        value = next(iter(completed.completion.values), ENTRIES.get(template.name, ""))
        read = await client.read_resource(template.uri_template.replace("{" + argument + "}", value))
        templates[template.name] = len(read.contents[0].text)
    return {"resources": len(listed), "templates": templates}


async def get_prompts(client: Client) -> dict[str, int]:
    lengths: dict[str, int] = {}
    for prompt in (await client.list_prompts()).prompts:
        filled: dict[str, str] = {}
        for argument in prompt.arguments or []:
            ref = types.PromptReference(type="ref/prompt", name=prompt.name)
            completed = await client.complete(ref, {"name": argument.name, "value": ""})
            filled[argument.name] = next(iter(completed.completion.values), "I am moving to another town")
        got = await client.get_prompt(prompt.name, filled)
        lengths[prompt.name] = len(got.messages[0].content.text)
    return lengths


class Asked(types.Request[Any, Any]):
    """A request of an extension."""

    method: str
    params: dict[str, Any]


class Answered(types.Result):
    """Whatever an extension answers."""

    model_config = {"extra": "allow"}


async def load_skills(client: Client, step: int, problems: list[str]) -> dict[str, int]:
    async def ask(method: str, params: dict[str, Any]) -> dict[str, Any]:
        answer = await client.session.send_request(Asked(method=method, params=params), Answered)
        return answer.model_dump(by_alias=True)

    entries: list[dict[str, Any]] = []
    params: dict[str, Any] = {}
    while True:
        page = await ask("skills/list", params)
        entries += page["skills"]
        if not page.get("nextCursor"):
            break
        params = {"cursor": page["nextCursor"]}
    files = 0
    for entry in entries[::step]:
        skill = (await ask("skills/get", {"uri": entry["uri"]}))["skill"]
        if skill != entry:
            problems.append(f"{entry['uri']} is not got as it is listed")
        for file in skill["resources"]:
            text = (await client.read_resource(file["uri"])).contents[0].text.encode()
            digest = "sha256:" + hashlib.sha256(text).hexdigest()
            if (digest, len(text)) != (file["digest"], file["size"]):
                problems.append(f"{file['uri']} is not what its digest says")
            files += 1
    return {"listed": len(entries), "files": files}


async def listen(client: Client) -> dict[str, Any]:
    async with client.listen(resources_list_changed=True, tools_list_changed=True) as heard:
        honored = heard.honored.model_dump(by_alias=True, exclude_none=True)
    return {"honored": honored, "closed": "local"}


async def send_and_take_back(client: Client) -> dict[str, Any]:
    """What became of a concern, step by step."""
    told = 0

    async def tell(*_: Any) -> None:
        nonlocal told
        told += 1

    async def call(name: str, arguments: dict[str, Any], **more: Any) -> dict[str, Any]:
        result = await client.call_tool(name, arguments, **more)
        return {"error": refusal(result)} if result.is_error else result.structured_content

    concern = fixture(SENT["submit_concern"])
    sent = envelope([concern, fixture(SENT["submit_concern"])])
    which = {"id": concern["concern_id"]}
    rehearsed = await call("validate_submission", {"envelope": sent})
    staged = await call("stage_submission", {"envelope": sent}, progress_callback=tell)
    steps = [rehearsed["results"][0]["status"], staged["results"][0]["status"]]
    stands = await call("get_submission_status", which)
    taken = await call("cancel_submission", {**which, "cancel_token": staged["results"][0]["cancel_token"]})
    gone = await call("get_submission_status", which)
    steps += [stands.get("state"), "cancelled" if taken.get("cancelled") else taken.get("error"), gone.get("error")]
    again = await call("cancel_submission", {**which, "cancel_token": "not the token"})
    return {"steps": steps, "progress": told, "again": again["error"]}


def fixture(name: str) -> dict[str, Any]:
    """A submission of the fixtures, about something of this corpus, sent now."""
    # The path that the draft proposes is in the corpus by now.
    text = (FIXTURES / name).read_text().replace("nationality-certificate", "certificate-of-a-visit")
    submission = json.loads(text)
    ids = ("concern_id", "amendment_id", "validation_id", "draft_id", "feedback_id", "rating_id")
    field = next(field for field in ids if field in submission)
    submission[field] = fresh_id(submission[field][:4])
    submission["submitted_at"] = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    if submission.get("target_type") == "skill":
        submission["target_id"] = SKILL
    return submission


def envelope(submissions: list[dict[str, Any]]) -> dict[str, Any]:
    once = ("submitted_at", "submitting_agent", "submission_contract_version", "declared_capabilities")
    shared = {name: submissions[0][name] for name in once}
    items = [
        {"type": "concern", **{name: value for name, value in submission.items() if name not in once}}
        for submission in submissions
    ]
    return {"schema_version": 1, "session_id": fresh_id("ses_"), **shared, "items": items}


def fresh_id(prefix: str) -> str:
    """A UUIDv7 of now."""
    digits = f"{time.time_ns() // 1_000_000:012x}7{os.urandom(2).hex()[:3]}8{os.urandom(8).hex()[:15]}"
    return prefix + re.sub(r"^(.{8})(.{4})(.{4})(.{4})", r"\1-\2-\3-\4-", digits)


asyncio.run(main())
