import { expect, test } from 'vitest'
import { flagsOf } from '../../../src/cli/flags.ts'
import { limitOptions, serverLimits } from '../../../src/server/limits.ts'
import { listen } from '../../../src/server/listen.ts'
import { createSimulator } from '../../../src/simulator.ts'
import { run } from '../../support/cli/command.ts'

test.each([
  [{ maxConnections: 0 }, 'maxConnections to be a whole number from 1 to 2147483647, got 0.'],
  [{ maxUrlLength: 1.5 }, 'maxUrlLength to be a whole number from 1 to 2147483647, got 1.5.'],
  [{ maxHeaders: '9' }, 'maxHeaders to be a whole number from 1 to 2147483647, got "9".'],
  [{ headersTimeout: -1 }, 'headersTimeout to be a whole number from 0 to 2147483647, got -1.'],
  [
    { headersTimeout: 300_001 },
    'headersTimeout (--headers-timeout) to be at most requestTimeout (300000), got 300001. Raise requestTimeout (--request-timeout), or set it to 0.',
  ],
])('%j is refused', async (limits, message) => {
  await expect(listen(createSimulator(), limits as never)).rejects.toThrow(
    `Failed to listen: expected ${message}`,
  )
})

test('without limits, Node keeps its own', () => {
  expect(limitOptions({})).toEqual({ connectionsCheckingInterval: 30_000 })
  expect(limitOptions({ headersTimeout: 0, requestTimeout: 0 })).toEqual({
    connectionsCheckingInterval: 30_000,
    headersTimeout: 0,
    requestTimeout: 0,
  })
})

test('each limit has a flag of serve, with the name of the option', () => {
  const flags = Object.keys(flagsOf('serve')).join('\n').replaceAll('-', '').toLowerCase()

  for (const name of Object.keys(serverLimits)) expect(flags).toContain(name.toLowerCase())
})

test.each([
  ['--max-connections', '0', 'a whole number from 1 to 2147483647, got 0.'],
  ['--request-timeout', '5s', 'a whole number from 0 to 2147483647, got "5s".'],
])('%s %s is refused', async (flag, value, message) => {
  const variable = `UNDERSTUDY_${flag.slice(2).toUpperCase().replaceAll('-', '_')}`

  const { code, stderr } = await run([flag, value])

  expect(code).toBe(2)
  expect(stderr).toContain(`Failed to read ${flag} (or ${variable}): expected ${message}`)
})
