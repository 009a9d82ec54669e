import type { Remote } from '../control/connect.ts'
import type { FaultRequest } from '../simulator/faults/schema.ts'
import { type ResetPart, resetParts } from '../simulator/options.ts'
import { UsageError } from '../utils/errors.ts'
import type { RowEdits } from '../world/edit/edit-rows.ts'
import type { WorldJson } from '../world/world-json.ts'
import { existing, type ToolContext } from './tool.ts'

// What tools change. Each says what it has changed, and what does not exist is an error.

interface RowChanges {
  readonly add?: object | undefined
  readonly update?: object | undefined
  readonly delete?: object | undefined
  readonly issue_key?: object | undefined
  readonly revoke_key?: string | undefined
}

export async function writeRows({ remote }: ToolContext, changes: RowChanges): Promise<object> {
  const { keys, world } = remote
  const { add, update, delete: deleted, issue_key, revoke_key } = changes
  const known = issue_key || revoke_key !== undefined ? await keys.list() : []
  const { label } = Object(issue_key)
  if (label !== undefined && known.some((key) => key.label === label)) {
    throw new UsageError(`issue_key: a key has the label ${label}. Choose another, or revoke it.`)
  }
  if (revoke_key !== undefined) {
    const value = known.find((key) => key.label === revoke_key)?.value ?? revoke_key
    const labels = known.flatMap((key) => key.label ?? [])
    existing(await keys.revoke(value), `Key ${revoke_key}`, labels, revoke_key)
  }
  const edits = { rows: add, update, delete: deleted } as RowEdits
  const added = add || update || deleted ? await world.edit(edits) : {}
  const idsOf = (rows: object | undefined) =>
    Object.entries(rows ?? {}).map(([name, list]) => [
      name,
      [list].flat().map((row) => Object(row).id ?? row),
    ])
  return {
    ...(add && { added }),
    ...(update && { updated: Object.fromEntries(idsOf(update)) }),
    ...(deleted && { deleted: Object.fromEntries(idsOf(deleted)) }),
    ...(issue_key && { key: await keys.issue(issue_key) }),
    ...(revoke_key !== undefined && { revoked: revoke_key }),
  }
}

interface FaultChanges {
  readonly add?: string | object | undefined
  readonly remove?: string | undefined
}

export async function changeFaults(
  { remote: { faults } }: ToolContext,
  { add, remove }: FaultChanges,
) {
  if (remove === 'all') await faults.clear()
  else if (remove !== undefined) {
    const ids = (await faults.list()).map(({ id }) => id)
    existing(await faults.remove(remove), `Fault ${remove}`, ids, remove)
  }
  const rules = add === undefined ? [] : [typeof add === 'string' ? { preset: add } : add].flat()
  for (const rule of rules) await faults.add(rule as FaultRequest)
  return faults.list()
}

interface ResetRequest {
  readonly only?: readonly (ResetPart | 'journal')[] | undefined
  readonly world?: string | object | undefined
  readonly clock?: string | undefined
}

export async function resetServer({ remote }: ToolContext, { only, world, clock }: ResetRequest) {
  const parts = only ?? [...resetParts, 'journal' as const]
  const cleared = parts.includes('journal')
  const rest = parts.filter((part) => part !== 'journal')
  if (rest.length > 0) await remote.reset({ only: rest })
  if (cleared) await remote.journal.clear()
  const rows = world === undefined ? null : await remote.world.replace(world as WorldJson)
  if (clock !== undefined) await setClock(remote, clock)
  return {
    reset: rest,
    journal_cleared: cleared,
    ...(rows && { rows }),
    clock: await remote.clock.read(),
  }
}

async function setClock({ clock }: Remote, value: string): Promise<void> {
  const seconds = /^([+-]\d+)s$/.exec(value)?.[1]
  const [, mode, now] = /^(ticking|frozen):(.+)$/.exec(value) ?? []
  if (seconds !== undefined) await clock.advance({ seconds: Number(seconds) })
  else if (mode !== undefined) await clock.set({ mode, now } as Parameters<typeof clock.set>[0])
  else await clock.set(value)
}

interface SandboxChanges {
  readonly create?: object | undefined
  readonly delete?: string | undefined
}

export async function changeSandboxes(
  { remote: { sandboxes } }: ToolContext,
  changes: SandboxChanges,
) {
  const { create, delete: ended } = changes
  if (ended !== undefined) {
    const all = await sandboxes.list()
    const id = all.find((sandbox) => sandbox.name === ended)?.id ?? ended
    existing(
      await sandboxes.delete(id),
      `Sandbox ${ended}`,
      all.map(({ id }) => id),
      ended,
    )
  }
  if (create) {
    const { id, name, url, key } = await sandboxes.create(create)
    return { id, name, url, key }
  }
  return (await sandboxes.list()).map(({ id, name, url, expires_at }) => ({
    id,
    name,
    url,
    expires_at,
  }))
}
