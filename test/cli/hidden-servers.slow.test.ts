import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { policyIds } from '../../src/policies/policies.ts'
import type { PolicyOverrides } from '../../src/policies/settings.ts'
import { listen } from '../../src/server/listen.ts'
import { createSimulator } from '../../src/simulator.ts'
import { root, run } from '../support/cli/command.ts'
import { startHttpServer } from '../support/http-server.ts'
import { allKeys, randomPolicies, world } from '../support/observe/hidden-server.ts'
import { createWrittenServer, type Habits } from '../support/observe/written-server.ts'
import { createRandom } from '../support/random.ts'

const scenarios = readdirSync(`${root}scenarios`)
  .filter((name) => name.endsWith('.json') && name !== 'scenario.schema.json')
  .map((name) => `${root}scenarios/${name}`)

interface Claim {
  readonly id: string
  readonly setting: string | number
  readonly alone: boolean
}

interface CheckedStep {
  readonly title: string
  readonly verdict: string
  readonly policies: readonly Claim[]
}

/** Checks a server with all scenarios, and returns what it printed. */
async function check(url: string, keys: Readonly<Record<string, string>>) {
  const flags = Object.entries(keys).flatMap(([label, key]) => ['--key', `${label}=${key}`])
  const args = ['check', ...scenarios, '--target', url, ...flags, '--allow-writes', '--json']
  const { stdout } = await run(args)
  return JSON.parse(stdout) as { steps: readonly CheckedStep[]; left: readonly string[] }
}

/** The steps with a claim that is untrue: one of several policies is a cause, or all of them together. */
function wrongClaims(steps: readonly CheckedStep[], truth: PolicyOverrides): unknown[] {
  return steps.flatMap(({ title, policies }) => {
    const claims = policies.map(({ id, setting }) => `${id}=${setting}`)
    const right = Object.entries(truth).map(([id, setting]) => `${id}=${setting}`)
    const isTrue = policies[0]?.alone
      ? claims.some((claim) => right.includes(claim))
      : claims.every((claim) => right.includes(claim))
    return isTrue ? [] : [{ title, claims }]
  })
}

/** Every second server has a random value for each policy; the others differ in about one of eight. */
function hiddenPolicies(seed: number): PolicyOverrides {
  const random = createRandom(seed)
  const all = randomPolicies(random)
  if (seed % 2 === 1) return all
  const some = policyIds.filter(() => random.below(8) === 0).map((id) => [id, all[id]])
  return Object.fromEntries(some)
}

test.each(Array.from({ length: 50 }, (_, seed) => seed))(
  'a check of the simulator %i with random policies claims nothing wrong, and leaves its rows',
  async (seed) => {
    const simulator = createSimulator({ world, policies: hiddenPolicies(seed) })
    const before = {
      annotations: simulator.world.annotations.list(),
      plugins: simulator.world.plugins.list(),
    }
    const server = await listen(simulator, { port: 0 })

    const { steps } = await check(server.url, allKeys)
    await server.close()

    const { annotations, plugins } = simulator.world
    expect(wrongClaims(steps, simulator.policies.settings)).toEqual([])
    expect(steps.filter(({ verdict }) => verdict === 'contradiction')).toEqual([])
    expect(steps.filter(({ verdict }) => verdict === 'as expected').length).toBeGreaterThan(10)
    for (const row of before.annotations) expect(annotations.get(row.id)).toEqual(row)
    for (const row of before.plugins) expect(plugins.get(row.id)).toEqual(row)
  },
)

/** What the refusals of a hand-written server show, whichever keys it accepts. */
function shownByRefusals({ body, keys, missingKey }: Habits): PolicyOverrides {
  return {
    ...(body !== 'own' && { 'errors.body': body }),
    ...(keys !== 'none needed' && { 'keys.missing.status': `${missingKey}` }),
  }
}

test.each(Array.from({ length: 50 }, (_, seed) => seed))(
  'a check of the hand-written server %i claims nothing wrong, and leaves its rows',
  async (seed) => {
    const { habits, rows, fetch, truth } = createWrittenServer(createRandom(seed))
    const before = structuredClone(rows)
    const url = await startHttpServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { authorization } = request.headers
      const answer = await fetch(new URL(request.url ?? '', 'http://localhost'), {
        method: request.method ?? 'GET',
        headers: {
          ...(authorization && { authorization }),
          'content-type': request.headers['content-type'] ?? '',
        },
        ...(chunks.length > 0 && { body: Buffer.concat(chunks).toString() }),
      })
      const headers = Object.fromEntries(answer.headers)
      response.writeHead(answer.status, headers).end(await answer.text())
    })

    const { steps } = await check(url, { all: 'phx_all' })

    expect(
      wrongClaims(steps, { ...truth, ...shownByRefusals(habits) }),
      JSON.stringify(habits),
    ).toEqual([])
    expect(rows.slice(0, before.length)).toEqual(before)
  },
)
