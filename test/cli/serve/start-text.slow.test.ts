import { expect, test } from 'vitest'
import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import { startServe } from '../../support/cli/serve.ts'
import { temporaryFile } from '../../support/files.ts'

test('the start text lists only some of very many keys', async () => {
  const keys = Array.from({ length: 200_000 }, (_, index) => ({
    value: `phx_${index}`,
    user: 1,
    scopes: null,
  }))
  const { printed } = await startServe(['--data', temporaryFile({ ...defaultWorld, keys })])

  expect(printed().stdout).toContain('… and 199988 more')
})
