import type { Reason } from '../../analysis/reasons/evidence.ts'
import type { ResponseReasons } from '../../analysis/reasons/response-reasons.ts'
import type { PolicyInfo } from '../../policies/policy-access.ts'
import { replayRemotely } from '../../remote/resources.ts'
import type { JournalEntry } from '../../sandbox/journal/entry.ts'
import type { ReplayResult } from '../../scenarios/run/result.ts'
import { sendRequest } from './send-request.ts'
import { operationTool, type Tool } from './tool.ts'

/** All tools. Most are operations of the control API, under the same name. */
export const tools: readonly Tool[] = [
  operationTool('readVocabulary'),
  operationTool('listKeys'),
  operationTool('listRows', { defaults: { limit: 20 } }),
  sendRequest,
  operationTool('listJournal', {
    description:
      'List requests, the oldest first: status, key, why each was refused, and ignored input. Without a limit, the last 20.',
    defaults: { limit: 20 },
    select: (entries: readonly JournalEntry[]) => entries.map(summarizeEntry),
  }),
  operationTool('retrieveJournalEntry'),
  operationTool('explainEntry', {
    description:
      'Explain a response by the id of its journal entry: the rule that decided it, the rule of each field and header, the evidence, and a request that succeeds.',
    select: summarizeReasons,
  }),
  operationTool('listMistakes'),
  operationTool('listFaults'),
  operationTool('addFaults', {
    description:
      'Add a fault rule: the requests that it applies to, and an effect. Or add the rules of a preset, by its name alone.',
  }),
  operationTool('removeFault'),
  operationTool('clearFaults'),
  operationTool('readClock'),
  operationTool('setClock'),
  operationTool('advanceClock'),
  operationTool('listPolicies', {
    description:
      'List what the documentation of the API leaves open: question and setting of each policy. With a text, also the possible values with their evidence.',
    extra: { text: { type: 'string', description: 'A part of the id, such as delete.' } },
    select: (policies: readonly PolicyInfo[], { text }) => selectPolicies(policies, text),
  }),
  operationTool('setPolicies', {
    description: 'Set policies by id, all or none, such as {"annotations.delete.status": "404"}.',
    bodyName: 'policies',
    select: (settings: object, { policies }) =>
      Object.fromEntries(
        Object.entries(settings).filter(([id]) => Object.hasOwn(policies as object, id)),
      ),
  }),
  operationTool('resetWorld'),
  operationTool('listSnapshots'),
  operationTool('createSnapshot'),
  operationTool('restoreSnapshot'),
  operationTool('listScenarios'),
  {
    ...operationTool('replayScenario', {
      description:
        'Run a scenario in a world of its own, by its name or as an object. Returns the steps that differ, and the policies that decide it.',
    }),
    // The operation streams its steps.
    run: async (client, { scenario, ...options }) =>
      summarizeReplay(await replayRemotely(client, scenario as string, options)),
  },
  operationTool('sweepScenario'),
]

function summarizeEntry(entry: JournalEntry): object {
  const { id, at, operation, method, path, query, key, response, reason, ignored } = entry
  const { decided_by = [], fault } = entry
  const search = String(new URLSearchParams(query))
  return {
    id,
    at,
    operation,
    request: `${method} ${path}${search && `?${search}`}`,
    key: key && (key.label ?? key.value),
    status: response.status,
    reason,
    ignored,
    ...(decided_by.length > 0 && { decided_by }),
    ...(fault && { fault }),
  }
}

/** Many fields share a rule, and the rows of a list share their fields: each is listed once. */
function summarizeReasons({ decided_by, policies, fields, headers, ...rest }: ResponseReasons) {
  const ruleIds = (reasons: Readonly<Record<string, Reason>>): object =>
    Object.fromEntries(
      Object.entries(reasons).map(([path, { id }]) => [path.replace(/\.\d+(?=\.|$)/g, '.*'), id]),
    )
  const all = [decided_by, ...policies, ...Object.values(fields), ...Object.values(headers)]
  return {
    ...rest,
    decided_by: decided_by.id,
    rules: [...new Map(all.map((reason) => [reason.id, reason])).values()],
    fields: ruleIds(fields),
    headers: ruleIds(headers),
  }
}

function selectPolicies(policies: readonly PolicyInfo[], text: unknown): readonly object[] {
  if (text === undefined) {
    return policies.map(({ id, question, setting }) => ({ id, question, setting }))
  }
  return policies.filter(({ id }) => id.includes(String(text)))
}

function summarizeReplay({ title, passed, steps }: ReplayResult): object {
  return {
    title,
    passed,
    steps: steps.length,
    not_passed: steps.filter(({ outcome }) => outcome !== 'passed'),
  }
}
