import { expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../../src/simulator/simulator.ts'
import { annotationsPath } from '../../support/api/paths.ts'

interface Keys {
  readonly header?: string
  readonly query?: string
  readonly body?: string
  /** The id in the URL */
  readonly at?: string
}

type Places = 'header' | 'header_body_query'
const [onlyHeader, anywhere]: readonly Places[] = ['header', 'header_body_query']

/** A simulator, and two sandboxes: one of them accepts keys anywhere, the other in the header only. */
function createWorlds(places: Places = 'header') {
  const simulator = createSimulator({ settings: { 'keys.places': places } })
  const worlds: Record<string, Simulator> = { host: simulator }
  for (const [name, accepted] of Object.entries({ open: anywhere, closed: onlyHeader })) {
    const { id } = simulator.sandboxes.create({
      keys: [{ label: 'all', value: `phx_${name}` }],
      settings: { 'keys.places': accepted as Places },
    })
    const sandbox = simulator.sandboxes.get(id) as Simulator
    sandbox.keys.issue({ value: `phx_issued_${name}` })
    worlds[name] = sandbox
  }
  return worlds
}

/** Sends a request with keys. Returns the name of the world whose journal has it. */
async function select(worlds: Record<string, Simulator>, keys: Keys) {
  const { header, query, body, at } = keys
  const counts = () => Object.values(worlds).map(({ journal }) => journal.find().length)
  const before = counts()
  const path = `${at === undefined ? '' : `/__sandbox/${at}`}${annotationsPath}`
  const headers = {
    ...(header && { authorization: `Bearer ${header}` }),
    ...(body && { 'content-type': 'application/json' }),
  }
  const text = JSON.stringify({ personal_api_key: body })
  const init = { method: 'POST', headers, ...(body && { body: text }) }

  await worlds.host?.fetch(`${path}${query ? `?personal_api_key=${query}` : ''}`, init)

  const after = counts()
  return Object.keys(worlds).filter((_, index) => after[index] !== before[index])
}

const selections: readonly [keys: Keys, ...names: string[]][] = [
  [{}, 'host'],
  [{ header: 'phx_all' }, 'host'],
  [{ header: 'phx_unknown' }, 'host'],
  [{ header: 'phx_open' }, 'open'],
  [{ header: 'phx_closed' }, 'closed'],
  [{ header: 'phx_issued_closed' }, 'closed'],
  [{ header: 'phx_unknown', query: 'phx_open' }, 'host'],
  [{ header: 'phx_unknown', body: 'phx_open' }, 'host'],
  [{ header: 'phx_closed', body: 'phx_open' }, 'closed'],
  [{ query: 'phx_all' }, 'host'],
  [{ query: 'phx_open' }, 'open'],
  [{ query: 'phx_closed' }, 'host'],
  [{ query: 'phx_unknown' }, 'host'],
  [{ body: 'phx_open' }, 'host'],
  [{ body: 'phx_all', query: 'phx_open' }, 'open'],
  [{ at: 'sandbox-2' }, 'closed'],
  [{ at: 'sandbox-2', header: 'phx_open' }, 'closed'],
  [{ at: 'sandbox-2', query: 'phx_open' }, 'closed'],
  [{ at: 'sandbox-2', body: 'phx_open' }, 'closed'],
  [{ at: 'sandbox-9', header: 'phx_open' }],
]

test.each([onlyHeader, anywhere])(
  'if the simulator accepts keys in %s, keys select the same worlds',
  async (places) => {
    const worlds = createWorlds(places)

    const selected: unknown[] = []
    for (const [keys] of selections) selected.push([keys, ...(await select(worlds, keys))])

    expect(selected).toEqual(selections)
  },
)
