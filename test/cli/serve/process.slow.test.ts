import { cpSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { startServeProcess } from '../../support/cli/serve.ts'
import { temporaryFolder } from '../../support/files.ts'
import { bin, root } from '../../support/root.ts'

const list = '/api/projects/1/annotations/'
const headers = { authorization: 'Bearer phx_all' }

test('the bin serves the default world without generators and dependencies', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'dist'))
  const parts = readdirSync(dirname(bin)).filter((name) => /^understudy.*\.js$/.test(name))
  for (const name of parts) cpSync(join(dirname(bin), name), join(folder, 'dist', name))
  cpSync(join(root, 'fixtures'), join(folder, 'fixtures'), { recursive: true })
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))

  const { url } = await startServeProcess(
    ['--world', 'default'],
    {},
    join(folder, 'dist', 'understudy.js'),
  )

  // The generators would add a megabyte.
  const sizes = parts.map((name) => statSync(join(dirname(bin), name)).size)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(2_000_000)
  expect((await fetch(url + list, { headers })).status).toBe(200)
})
