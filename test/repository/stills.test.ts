import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../support/cli/command.ts'
import { lightFetch } from '../support/cli/light-fetch.ts'
import { temporaryFolder } from '../support/files.ts'
import { terminalSvg } from '../support/repository/terminal-svg.ts'
import { root } from '../support/root.ts'

// npm run docs writes the pictures that these tests compare. The sweep starts the client for each variant, and loading
// Node's `fetch` takes longer than the rest of it.
const client = `${lightFetch}
const { UNDERSTUDY_URL: url, UNDERSTUDY_KEY: key } = process.env
const headers = { authorization: \`Bearer \${key}\` }
const { status } = await fetch(\`\${url}/api/projects/1/annotations/1/\`, { method: 'DELETE', headers })
if (status !== 405) throw new Error(\`expected 405, got \${status}\`)
`

test('the picture of explain shows what it prints', async () => {
  const args = ['explain', 'DELETE', '/api/projects/1/annotations/1/']

  const { stdout } = await run(args, { FORCE_COLOR: '1' })

  const picture = terminalSvg(`npx understudy-api ${args.join(' ')}`, stdout)
  await expect(picture).toMatchFileSnapshot(join(root, 'src/cli/explain.svg'))
})

test('the picture of sweep shows what it prints', async () => {
  const file = join(temporaryFolder(), 'delete.mjs')
  writeFileSync(file, client)

  const { code, stdout } = await run(['sweep', '--', 'node', file], { FORCE_COLOR: '1' })

  const picture = terminalSvg(
    'npx understudy-api sweep -- node delete.mjs',
    stdout.replaceAll(file, 'delete.mjs'),
  )
  expect(code).toBe(1)
  await expect(picture).toMatchFileSnapshot(join(root, 'src/cli/sweep.svg'))
})
