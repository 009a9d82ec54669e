import { expect, test } from 'vitest'
import { allControlEndpoints } from '../../../src/server/control/endpoints.ts'
import { isObject } from '../../../src/utils/json.ts'
import { callTool, connectMcp } from '../../support/control/mcp-client.ts'
import { start } from '../../support/lanes/start.ts'
import {
  arrangeRefusals,
  bodyOf,
  type RefusedCall,
  refusedCalls,
  shortInput,
} from '../../support/refusals.ts'

const toolNames = [
  'addFaults',
  'setSettings',
  'setClock',
  'advanceClock',
  'createSnapshot',
  'resetWorld',
  'replayScenario',
]
const tools = allControlEndpoints
  .filter(({ id }) => toolNames.includes(id))
  .map(({ id, method, path }) => {
    const refused = Object.values(refusedCalls).find(({ operation }) => operation === id)
    const inputs = (refused?.inputs ?? []).filter((input) => isObject(input))
    const bodies = inputs.map((input) => bodyOf(refused as RefusedCall, input))
    return { id, method, path, bodies: bodies.slice(0, 15) as Record<string, unknown>[] }
  })

test.each(tools)(
  'the tool $id refuses what its operation refuses, with the same message',
  async ({ id, method, path, bodies }) => {
    const { control, origin, simulator } = await start()
    arrangeRefusals(simulator)
    const client = await connectMcp(origin)
    const tool = (await client.listTools()).tools.find(({ name }) => name === id)
    const known = Object.keys(tool?.inputSchema.properties ?? {})

    const messages: [string, unknown][] = []
    const expected: [string, unknown][] = []
    for (const input of bodies) {
      const args = id === 'setSettings' ? { settings: input } : input
      const unknown = Object.keys(args).find((name) => !known.includes(name))
      const { body } = await control(method, path, { body: input })
      const own = expect.stringContaining(`Failed to call ${id}: unknown option "${unknown}". `)
      const message = await callTool(client, id, args).catch((error: Error) => error.message)
      expected.push([shortInput(input), unknown ? own : (body as { detail: string }).detail])
      messages.push([shortInput(input), message])
    }

    expect(messages.length).toBeGreaterThan(2)
    expect(messages).toEqual(expected)
  },
)
