import { join } from 'node:path'
import { expect, test } from 'vitest'
import { explainMissing } from '../../src/exec/missing-requests.ts'
import { temporaryFolder } from '../support/files.ts'

const address = expect.stringContaining('from UNDERSTUDY_URL')
const turbo =
  'Turborepo passes on only the variables that turbo.json names: add "globalPassThroughEnv": ["UNDERSTUDY_*"] to it.'

test.each([
  ['turbo.json', '.', [address, turbo]],
  ['turbo.jsonc', 'packages/web', [address, turbo]],
  ['package.json', '.', [address]],
])('a command in a folder with %s, at %s, may miss variables', (file, place, cures) => {
  expect(explainMissing(join(temporaryFolder({ [file]: {} }), place), {})).toEqual(cures)
})

test.each([
  ['HTTP_PROXY', {}, true],
  ['http_proxy', { NO_PROXY: 'a.test,127.0.0.10' }, true],
  ['ALL_PROXY', { no_proxy: 'localhost' }, true],
  ['HTTP_PROXY', { NO_PROXY: 'a.test,127.0.0.1' }, false],
  ['HTTP_PROXY', { no_proxy: '127.0.0.1,a.test' }, false],
  ['HTTP_PROXY', { NO_PROXY: '*' }, false],
])('a proxy of %s beside %o may keep requests: %s', (name, others, keeps) => {
  const proxy = `${name} is set: clients that use it need NO_PROXY=localhost,127.0.0.1.`

  const cures = explainMissing(temporaryFolder(), { [name]: 'http://127.0.0.1:9', ...others })

  expect(cures).toEqual(keeps ? [address, proxy] : [address])
})
