"""Records in and out, the audit, claims, papers and receipts."""

from typing import Annotated

from litestar import Response, get, post
from litestar.params import JSONBody, QueryParameter
from msgspec.structs import replace

from service.audit.bulk import AuditTerms, audit_stored
from service.audit.report import Report
from service.errors import Damaged, LedgerError, Refused, UsageError, unknown
from service.play.evidence import Evidence, from_store
from service.play.ledger import LocalLedger
from service.play.notary import receipt_for
from service.questions.claims import compare, compare_totals
from service.questions.paper import read_paper
from service.records import import_evidence, write_jsonl, write_text
from service.records.files import evidence_in
from service.records.signatures import vouched
from service.shell.answers.questions import AuditAnswer, ComparisonAnswer, audit_answer, comparison_answer
from service.shell.answers.refusals import Problem
from service.shell.answers.service import Imported
from service.shell.http.bounded_requests import BoundedRequest, giving, taking
from service.shell.http.problems import problem_of, refusals
from service.shell.http.routes.responses import MatchId, access_to, ledger_of
from service.shell.requests import Claims
from service.shell.web.audit_file import html_report
from service.store.shapes import Grant
from service.trust.arbiters import registered_arbiters
from service.trust.receipts import Receipt
from service.trust.tokens import hashed, new_token
from service.visible import visible_lines

PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'"
"""The audit's page carries its style and its drawings within itself, and no script."""
FORMATS = {"text": "text/plain; charset=utf-8", "jsonl": "application/x-ndjson"}


@get(
    "/matches/{match:str}/record",
    responses=refusals(401, 404),
    media_type="text/plain",
    operation_class=giving(*(media_type.partition(";")[0] for media_type in FORMATS.values())),
    summary="The whole match as a record, text or JSON lines",
)
async def get_record(
    request: BoundedRequest,
    match: MatchId,
    form: Annotated[str, QueryParameter(name="format", description="text or jsonl.", max_length=20)] = "text",
) -> Response[bytes]:
    """The history in human notation, or event by event for programs; the head is signed."""
    await access_to(request, match)
    if form not in FORMATS:
        raise unknown("export/format", "a format of records", form, FORMATS)
    served = ledger_of(request)
    await served.look(match)

    def write() -> tuple[bytes, Evidence]:
        evidence, refusal = vouched(served.ledger, from_store(served.store, match))
        if isinstance(refusal, Damaged):
            raise refusal
        return visible_lines(write_text(evidence)).encode() if form == "text" else write_jsonl(evidence), evidence

    data, evidence = await served.in_thread(write)
    name = f"{evidence.match}.{'mlr' if form == 'text' else 'jsonl'}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type=FORMATS[form], headers=headers)


@post(
    "/imports",
    status_code=200,
    responses=refusals(409, 413),
    operation_class=taking("text/plain", "A text record or JSON lines."),
    summary="Take matches from records into the ledger",
)
async def import_record(request: BoundedRequest) -> list[Imported]:
    """Each whole or not at all, hashes included. A record without hashes is checked move by move by the rules.

    Whoever imports a match is its host here.
    """
    served, data = ledger_of(request), await request.body()

    def take_in() -> list[Imported]:
        outcomes: list[Imported] = []
        try:
            for evidence in evidence_in(data, "record", clock=served.ledger.clock):
                try:
                    outcomes.append(_import(served.ledger, evidence))
                except LedgerError as refusal:
                    outcomes.append(Imported("refused", evidence.match, problem=_as_sent(refusal)))
        except LedgerError as refusal:  # the rest of the file does not read
            outcomes.append(Imported("refused", problem=_as_sent(refusal)))
        return outcomes

    return await served.in_thread(take_in)


def _as_sent(refusal: LedgerError) -> Problem:
    """What is wrong with a record that was sent; it is not ours that is damaged."""
    problem = problem_of(refusal)
    return problem if problem.status != 500 else replace(problem, status=422)


def _import(ledger: LocalLedger, evidence: Evidence) -> Imported:
    was_there = ledger.store.head(evidence.match) is not None
    token = "" if was_there else new_token()
    live = import_evidence(ledger, evidence, [Grant("host", 0, hashed(token))] if token else ())
    outcome = "present" if was_there else "imported"
    return Imported(outcome, live.id, live.head.seq, list(evidence.remarks), token)


# --------------------------------------------------------------------------------------------------------- the audit


async def audited(request: BoundedRequest, match: str) -> tuple[Evidence, Report]:
    """A match as it is stored and every check on it, for whoever may look at it."""
    await access_to(request, match)
    served = ledger_of(request)
    if await served.ask(served.store.head, match) is None:
        await served.look(match)
    return await served.in_thread(lambda: audit_stored(served.store, match, AuditTerms((), registered_arbiters())))


@get("/matches/{match:str}/audit", responses=refusals(401, 404), summary="Every check on the match as it is stored")
async def get_audit(request: BoundedRequest, match: MatchId) -> AuditAnswer:
    """A verdict for each check, with the first event that offends it."""
    return audit_answer((await audited(request, match))[1])


@get(
    "/matches/{match:str}/audit.html",
    responses=refusals(401, 404),
    media_type="text/html",
    summary="The audit as one page, for screen and paper",
)
async def get_audit_page(request: BoundedRequest, match: MatchId) -> Response[str]:
    """Verdicts, result, score sheet and disputes."""
    evidence, report = await audited(request, match)
    page = await ledger_of(request).in_thread(html_report, report, evidence)
    return Response(page, media_type="text/html; charset=utf-8", headers={"Content-Security-Policy": PAGE_POLICY})


@post("/matches/{match:str}/claims", status_code=200, responses=refusals(401, 404, 413), summary="Check claimed totals")
async def check_claims(request: BoundedRequest, match: MatchId, data: JSONBody[Claims]) -> ComparisonAnswer:
    """Where totals that somebody claims part from the ledger, and what would explain it."""
    await access_to(request, match)
    served = ledger_of(request)
    live = (await served.look(match)).live
    seats = live.opened.seats
    wrong = [seat for seat in data.totals if seat > seats]
    if wrong:
        raise UsageError("claim/seat", f"There is no seat {wrong[0]}; choose 1–{seats}.")
    return await served.in_thread(lambda: comparison_answer(live, compare_totals(live, data.totals)))


@post(
    "/matches/{match:str}/paper",
    status_code=200,
    responses=refusals(401, 404, 413),
    operation_class=taking("text/csv", "round,Ann,Ben above the totals of each round."),
    summary="Check a paper",
)
async def check_paper(request: BoundedRequest, match: MatchId) -> ComparisonAnswer:
    """Where totals per round, as players wrote them down, part from the ledger, and what would explain it."""
    await access_to(request, match)
    served = ledger_of(request)
    live = (await served.look(match)).live
    try:
        text = (await request.body()).decode()
    except UnicodeDecodeError as error:
        raise UsageError("paper/encoding", "The paper is not UTF-8 text.") from error

    def work() -> ComparisonAnswer:
        return comparison_answer(live, compare(live, read_paper(text, live.opened.seats, live.names)))

    return await served.in_thread(work)


@post("/matches/{match:str}/receipts", responses=refusals(401, 403, 404, 409), summary="A signed receipt")
async def give_receipt(request: BoundedRequest, match: MatchId) -> Receipt:
    """The match as it stands, signed and entered into the journal: keep it where the ledger cannot reach it."""
    (await access_to(request, match)).member("seat", "host", "arbiter")
    served = ledger_of(request)
    await served.look(match)

    def give() -> Receipt:
        if served.ledger.notary is None:
            raise Refused("trust/unsigned", "This ledger signs nothing.")
        return receipt_for(served.ledger.notary, served.store, from_store(served.store, match), served.ledger.clock())

    return await served.in_thread(give)


HANDLERS = [get_record, get_audit, get_audit_page, check_claims, give_receipt]
BRINGING = [import_record, check_paper]
"""Those that take more than other routes do."""
