import * as z from 'zod'
import type { Remote } from '../admin/connect.ts'
import { presetNames } from '../simulator/faults/presets.ts'
import type { FaultRequest } from '../simulator/faults/schema.ts'
import { resetParts } from '../simulator/options.ts'
import { UsageError } from '../utils/errors.ts'
import { isObject } from '../utils/json.ts'
import type { RowEdits } from '../world/edit/edit-rows.ts'
import type { WorldJson } from '../world/world-json.ts'
import { existing, isDestructive, named, namesOf, object, tool } from './tool.ts'

// What tools change. Each says what it has changed, and what does not exist is an error.

const writeRows = tool(
  'write_rows',
  'Add, update and delete rows, all or none, without a request of the API; issue and revoke keys. Returns ids.',
  {
    add: object('{"annotations": [{"content": "Launch"}]}'),
    update: object('{"annotations": [{"id": 1, "deleted": true}]}'),
    delete: object('{"annotations": [1]}'),
    issue_key: object('{"label": "reader", "scopes": ["annotation:read"]}'),
    revoke_key: z.string().describe('Its label or value.').optional(),
  },
  async ({ remote: { keys, world } }, changes) => {
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
    const edits = {
      rows: asLists(add),
      update: asLists(update, (row) => ({ ...Object(row), id: toId(row) })),
      delete: asLists(deleted, toId),
    } as RowEdits
    const added = add || update || deleted ? await world.edit(edits) : {}
    return {
      ...(add && { added }),
      ...(update && { updated: asLists(update, toId) }),
      ...(deleted && { deleted: asLists(deleted, toId) }),
      ...(issue_key && { key: await keys.issue(issue_key) }),
      ...(revoke_key !== undefined && { revoked: revoke_key }),
    }
  },
  { hints: isDestructive },
)

/** One row stands for a list of it. */
const asLists = (rows: object | undefined, convert = (row: unknown) => row) =>
  rows &&
  Object.fromEntries(Object.entries(rows).map(([name, list]) => [name, [list].flat().map(convert)]))

/** The id of a row, or an id as such. Models write numbers as texts. */
function toId(row: unknown): unknown {
  const id = isObject(row) ? row.id : row
  return typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : id
}

const changeFaults = tool(
  'faults',
  'Add or remove faults. Returns all, with the requests that each applied to.',
  {
    add: z
      .union([named, z.array(named)])
      .describe(
        `A preset (${presetNames.join(', ')}), or JSON such as {"operation": "listAnnotations", "when": {"times": 1}, "phase": "after-commit", "effect": {"edit": [{"delete": {"annotations": [4]}}]}}. Other effects: error, status, drop, delay_ms`,
      )
      .optional(),
    remove: z
      .union([z.string(), z.literal(true)])
      .describe('The id of a fault, or all.')
      .optional(),
  },
  async ({ remote: { faults } }, { add, remove }) => {
    if (remove === true || remove === 'all') await faults.clear()
    else if (remove !== undefined) {
      const ids = (await faults.list()).map(({ id }) => id)
      const id = ids.find((known) => known === `fault-${remove}`) ?? remove
      existing(await faults.remove(id), `Fault ${remove}`, ids, remove)
    }
    for (const rule of add === undefined ? [] : [add].flat()) {
      await faults.add((typeof rule === 'string' ? { preset: rule } : rule) as FaultRequest)
    }
    return faults.list()
  },
  { names: { clear: 'remove' }, rest: 'add' },
)

const reset = tool(
  'reset',
  'Reset rows (to the world that was loaded last), keys, settings, clock and faults, and clear the journal; then load a world. A clock alone resets nothing else.',
  {
    only: z.array(z.enum([...resetParts, 'journal'])).optional(),
    world: named.describe('default, empty, odd or JSON.').optional(),
    clock: z.string().describe('real, 2024-06-01T00:00:00Z, or forward by +1h').optional(),
  },
  async ({ remote }, { only, world, clock }) => {
    const isClock = clock !== undefined && world === undefined
    const parts = only ?? (isClock ? [] : [...resetParts, 'journal' as const])
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
  },
  { hints: isDestructive },
)

async function setClock({ clock }: Remote, value: string): Promise<void> {
  const [, count, unit = 's'] = /^([+-]\d+)([smhd]?)$/.exec(value) ?? []
  const units = { s: 'seconds', m: 'minutes', h: 'hours', d: 'days' } as const
  if (count !== undefined) await clock.advance({ [units[unit as 's']]: Number(count) })
  else await clock.set(value)
}

const changeSandboxes = tool(
  'sandboxes',
  'List isolated worlds with their own keys and URL; create or delete one.',
  {
    create: named
      .describe('Such as {"name": "mine", "from": "empty", "profile": "live"}')
      .optional(),
    delete: z.string().describe('Its id or name.').optional(),
  },
  async ({ remote: { sandboxes } }, { create, delete: ended }) => {
    if (ended !== undefined) {
      const all = await sandboxes.list()
      const id = all.find((sandbox) => sandbox.name === ended)?.id ?? ended
      existing(await sandboxes.delete(id), `Sandbox ${ended}`, namesOf(all), ended)
    }
    if (create) {
      const { world, ...wanted } = typeof create === 'string' ? { name: create } : create
      const start = world === undefined ? wanted : { from: world as string, ...wanted }
      const { id, name, url, key } = await sandboxes.create(start)
      return { id, name, url, key }
    }
    const all = await sandboxes.list()
    return all.map(({ id, name, url, expires_at }) => ({ id, name, url, expires_at }))
  },
  { hints: isDestructive, rest: 'create' },
)

export const writeTools = [writeRows, changeFaults, reset, changeSandboxes]
