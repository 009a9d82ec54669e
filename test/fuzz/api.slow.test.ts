import { expect, test } from 'vitest'
import { createApiDocument } from '../../.tools/openapi/document.ts'
import oddWorld from '../../fixtures/odd.json' with { type: 'json' }
import {
  createSimulator,
  type SettingOverrides,
  settings,
  type WorldJson,
} from '../../src/index.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'
import { type SettingValues, settingIds } from '../../src/settings/setting.ts'
import { collectErrors } from '../support/errors.ts'
import { isLong } from '../support/long.ts'
import { createRandom, type Random } from '../support/random.ts'
import { FuzzDocument } from './document.ts'
import { createRequest, type FuzzRequest, formatRequest } from './requests.ts'
import { type Budget, roundSize, runRounds, withoutHang } from './run.ts'

/** The service crashes here, and the simulator does the same on purpose. Any other 5xx is a defect. */
const withoutCrash = {
  'plugins.create.without_url': 'refused',
  'plugins.extras.crashes': 'usual',
} as const
const worlds = ['default', 'default', oddWorld as unknown as WorldJson] as const
const budget = (requests: number): Budget =>
  isLong ? { requests, seconds: 3_600 } : { requests: 20_000, seconds: 8 }

test.each(['documented', 'live'] as const)(
  'every response of the profile %s is one that its OpenAPI document describes',
  async (profile) => {
    const settings = resolveSettings(profile, withoutCrash)
    const document = new FuzzDocument(await createApiDocument(settings))

    await runRounds(profile, budget(400_000), (seed) => runRound(seed, settings, document))
  },
)

test('every response of other settings is one that their OpenAPI document describes', async () => {
  await runRounds('other settings', { ...budget(200_000), isHeapChecked: false }, async (seed) => {
    const settings = anySettings(createRandom(seed))
    return runRound(seed, settings, new FuzzDocument(await createApiDocument(settings)))
  })
})

async function runRound(
  seed: number,
  settings: SettingValues,
  document: FuzzDocument,
): Promise<number> {
  const random = createRandom(seed)
  const { errors, onError } = collectErrors()
  const world = random.pick(worlds)
  const simulator = createSimulator({ world, settings: settings, seed: seed % 1_000, onError })
  const known = simulator.keys.list().map(({ value }) => value)
  const unscoped = simulator.keys.list().find(({ scopes }) => scopes === null)?.value ?? ''
  const keys = [
    ...Array<string>(15).fill(simulator.defaults.key),
    unscoped,
    unscoped,
    unscoped,
    ...known,
  ]

  for (let index = 0; index < roundSize; index++) {
    const request = createRequest(document, random, keys)
    const busy = process.cpuUsage()
    let violation: string | null
    try {
      violation = await violationOf(request)
    } catch (error) {
      violation = String(error)
    }
    const { user } = process.cpuUsage(busy)
    if (user > 2_000_000) violation ??= `took ${user / 1_000} ms`
    if (errors.length > 0) violation = `an exception: ${String((errors[0] as Error).stack)}`
    if (violation)
      throw new Error(
        `${violation}\nFUZZ_SEED=${seed}, request ${index}: ${formatRequest(request)}`,
      )
  }
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  return roundSize

  async function violationOf({ operation, method, path, headers, body }: FuzzRequest) {
    const response = await withoutHang(
      simulator.fetch(`http://localhost${path}`, {
        method,
        headers,
        body: body as BodyInit | null,
      }),
    )
    const received = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: await response.text(),
    }
    return document.violation(operation, method, received)
  }
}

function anySettings(random: Random): SettingValues {
  const overrides = settingIds.map((id) => {
    const values = Object.keys(settings[id].values)
    const value = random.pick(values)
    return [id, value === 'integer' ? 100 + random.below(5_000) : value]
  })
  const all: SettingOverrides = { ...Object.fromEntries(overrides), ...withoutCrash }
  return resolveSettings('documented', all)
}
