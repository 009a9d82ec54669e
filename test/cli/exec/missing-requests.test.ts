import { join } from 'node:path'
import { expect, test } from 'vitest'
import { explainMissing } from '../../../src/cli/missing-requests.ts'
import { temporaryFolder } from '../../support/files.ts'

test('what may keep the requests of a command from the server: Turborepo, and a proxy', () => {
  const folder = temporaryFolder({ 'turbo.json': {} })
  const address = expect.stringContaining('from UNDERSTUDY_URL')
  const turbo =
    'Turborepo passes on only the variables that turbo.json names: add "globalPassThroughEnv": ["UNDERSTUDY_*"] to it.'
  const proxy = 'HTTP_PROXY is set: clients that use it need NO_PROXY=localhost,127.0.0.1.'
  const env = { HTTP_PROXY: 'http://127.0.0.1:9' }

  expect(explainMissing(temporaryFolder(), {})).toEqual([address])
  expect(explainMissing(join(folder, 'packages', 'web'), {})).toEqual([address, turbo])
  expect(explainMissing(temporaryFolder(), env)).toEqual([address, proxy])
  expect(explainMissing(temporaryFolder(), { ...env, NO_PROXY: 'a.test,127.0.0.1' })).toEqual([
    address,
  ])
})
