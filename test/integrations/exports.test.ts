import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { root } from '../support/root.ts'

const { packageExports } = await import(new URL('.tools/exports.mjs', `file://${root}`).href)

test('package.json exports what the list of entries says', async () => {
  const generated = { ...packageJson, exports: packageExports() }

  await expect(`${JSON.stringify(generated, null, 2)}\n`).toMatchFileSnapshot(
    join(root, 'package.json'),
  )
})
