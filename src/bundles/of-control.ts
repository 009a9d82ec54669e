import type { KeyRequest } from '../keys.ts'
import type { DeletedRows, NewRows, UpdatedRows } from '../rows/new-rows.ts'
import { escapeLiterals } from '../scenarios/literal.ts'
import type { ChangeStep } from '../scenarios/scenario.ts'
import type { WorldJson } from '../world/world-json.ts'

/** A call of the control API, and what a step needs to know of the world that it changed. */
export interface ControlCallContext {
  /** The operation id */
  readonly operation: string
  readonly params: Readonly<Record<string, string>>
  readonly body: unknown
  /** The world as it is now */
  readonly world: () => WorldJson
  /** The label of a key as it was before */
  readonly label: (value: string) => string | null | undefined
  /** The values of keys that are there since */
  readonly issued: readonly string[]
  /** Whether a step before saved a snapshot of that name */
  readonly isSaved: (snapshot: string) => boolean
}

/** The change that a call made; null for a call that changes nothing that answers come from. */
export function toChangeStep(
  call: ControlCallContext,
): ChangeStep | { readonly lost: string } | null {
  return translations[call.operation]?.(call) ?? null
}

type Translation = (call: ControlCallContext) => ChangeStep | { readonly lost: string } | null

/** A change as it was asked for; what each word takes is what the control API takes. */
const asSent =
  (word: string): Translation =>
  ({ body }) =>
    ({ [word]: escapeLiterals(body) }) as unknown as ChangeStep

const toRemoveStep: Translation = ({ params: { id = '' } }) => ({ remove: id })

/** Times are carried with each request, and so clocks are missing here. */
const translations: Readonly<Record<string, Translation>> = {
  addRows: ({ body, issued }) => {
    const { keys = [], ...rows } = body as NewRows
    const all = keys.length > 0 ? { ...rows, keys: withValues(keys, issued) } : rows
    return { rows: escapeLiterals(all) as NewRows }
  },
  replaceWorld: ({ world }) => ({ world: world() }),
  updateRow: ({ params: { list = '', id = '' }, body }) => ({
    update: escapeLiterals({
      [list]: [{ id: parseRowId(list, id), ...(body as object) }],
    }) as UpdatedRows,
  }),
  deleteRow: ({ params: { list = '', id = '' } }) => ({
    delete: { [list]: [parseRowId(list, id)] } as DeletedRows,
  }),
  addGenerated: ({ world }) => ({ world: world() }),
  resetWorld: () => ({ reset: true }),
  createSnapshot: ({ body }) => ({ snapshot: (body as { name: string }).name }),
  restoreSnapshot: ({ params: { name = '' }, isSaved, world }) =>
    isSaved(name) ? { restore: name } : { world: world() },
  importSnapshot: ({ params: { name } }) => ({ lost: `the import of the snapshot ${name}` }),
  issueKey: ({ body, issued }) => ({ rows: { keys: withValues([body ?? {}], issued) } }),
  revokeKey: ({ params: { value = '' }, label }) => ({ revoke: label(value) ?? value }),
  setPolicies: asSent('policies'),
  addFaults: asSent('fault'),
  clearFaults: () => ({ clear: 'faults' }),
  removeFault: toRemoveStep,
  addActor: asSent('actor'),
  clearActors: () => ({ clear: 'actors' }),
  removeActor: toRemoveStep,
  createSandbox: () => ({ lost: 'a sandbox, and what was asked of it' }),
}

/** The id of a row as it stands in an address. */
function parseRowId(list: string, text: string): number | string {
  return list === 'organizations' ? text : Number(text)
}

/** Keys with the values that they got: a step that asks by such a key has to name it. */
function withValues(keys: readonly KeyRequest[], issued: readonly string[]): KeyRequest[] {
  return keys.map((key, index) => ({ ...key, value: issued[index] as string }))
}
