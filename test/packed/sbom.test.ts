import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { root } from '../support/cli/command.ts'
import { exec } from '../support/exec.ts'

interface Component {
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly hashes: readonly object[]
}

test('npm run sbom lists every package that is bundled or installed, with its checksum', async () => {
  const { stdout } = await exec('npm', ['run', '--silent', 'sbom'], {
    cwd: root,
    maxBuffer: 2 ** 26,
  })
  const { bomFormat, metadata, components } = JSON.parse(stdout)
  const listed = new Map(
    (components as Component[]).map((one) => [`${one.name} ${one.version}`, one]),
  )

  expect([bomFormat, metadata.component.purl]).toEqual([
    'CycloneDX',
    `pkg:npm/${packageJson.name}@${packageJson.version}`,
  ])
  const licences = readFileSync(join(root, 'dist', 'THIRD-PARTY-LICENSES.txt'), 'utf8')
  const bundled = [...licences.matchAll(/^-{80}\n\n(\S+ \S+), /gm)].map(([, name = '']) => name)
  const installed = Object.keys(packageJson.dependencies).map((name) => {
    const file = join(root, 'node_modules', name, 'package.json')
    return `${name} ${JSON.parse(readFileSync(file, 'utf8')).version}`
  })
  expect(bundled.length).toBeGreaterThan(50)
  for (const name of [...bundled, ...installed]) {
    expect(listed.get(name)?.hashes, name).toHaveLength(1)
  }
})
