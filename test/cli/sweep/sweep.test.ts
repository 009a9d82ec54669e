import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run, startCommand } from '../../support/cli/command.ts'
import { shellClient as client } from '../../support/cli/shell-client.ts'
import { temporaryFile, temporaryFolder } from '../../support/files.ts'
import { root } from '../../support/root.ts'

const sweep = (flags: readonly string[], program: string, ...args: readonly string[]) =>
  run(['sweep', ...flags, ...client(program, ...args)])

test('a tolerant command has no dependence, one that reads no setting has none to try, and --fail-on none forgives one', async () => {
  const tolerant = await sweep(['--only', 'headers.'], 'ask GET $list; [ $status -lt 500 ]')
  const nothing = await sweep(['--only', 'plugins.other'], 'ask GET $list')
  const forgiven = await sweep(
    ['--only', 'projects.list.scope', '--fail-on', 'none'],
    'ask GET /api/projects/; [ $status = 200 ]',
  )

  expect(tolerant.code).toBe(0)
  expect(tolerant.stdout).toContain('1 other service tried: nothing breaks the command.')
  expect([nothing.code, forgiven.code]).toEqual([0, 0])
  expect(nothing.stderr).toContain('Nothing to try: the simulator read no setting that is left.')
  expect(forgiven.stdout).toContain(
    "(an assumption, but a version of the service's source has `refused`)",
  )
  expect(forgiven.stdout).toContain('any_key  assumed   refused')
})

test('each run has the key of the unchanged run, and so what depends on its scopes is found', async () => {
  const { code, stdout } = await sweep(
    ['--only', 'plugins.other.scope'],
    'ask GET /api/organizations/$UNDERSTUDY_ORGANIZATION_ID/plugins/unused/; [ $status = 200 ]',
  )

  expect(code).toBe(1)
  expect(stdout).toMatch(/plugins\.other\.scope {2}\S+ +\S+ +refused/)
})

test('sweep has the flags of exec that configure the server, and tries no other value of --set', async () => {
  const fault = { operation: 'listAnnotations', effect: { status: 503 } }
  const setting = 'annotations.deleted.visibility'
  const { code, stdout } = await sweep(
    [
      ...['--only', setting, '--set', `${setting}=retrievable`, '--env', 'API=url'],
      ...['--token', 'secret', '--handlers', join(root, 'test/support/cli/handlers.mjs')],
      ...['--fault', JSON.stringify(fault)],
    ],
    `
      [ $API ] && ask GET $API/api/projects/ && [[ $body == *'{"mine":true}'* ]] &&
        ask GET $list && [ $status = 503 ] &&
        ask GET "$list"6/ && [ $status = 200 ] && [ "$UNDERSTUDY_TOKEN" = secret ]`,
  )

  expect([code, stdout]).toEqual([0, expect.stringContaining('0 other services tried')])
})

test('tests of the command get the value that is tried, also of a setting of --settings', async () => {
  const file = temporaryFile({ settings: { 'paths.current': 'on' } })
  const { code, stdout } = await sweep(
    ['--only', 'paths.current', '--settings', file],
    `ask GET /api/projects/@current/annotations/
      [[ $UNDERSTUDY_SETTINGS == *'"paths.current": "on"'* ]]`,
  )

  expect([code, stdout]).toEqual([1, expect.stringMatching(/paths\.current +on /)])
})

test('an interrupted sweep prints what it knows, and exits with 130', async () => {
  const marker = join(temporaryFolder(), 'marker')
  const program = `
    printf x >> "$1"
    [ $(wc -c < "$1") -gt 4 ] && exec sleep 60
    ask GET "$list"6/
    [ $status = 404 ]`
  const runs = (): number => (existsSync(marker) ? readFileSync(marker, 'utf8').length : 0)

  const sweeping = ['sweep', '--only', 'annotations.deleted']
  const command = startCommand([...sweeping, '--jobs', '1', ...client(program, marker)])
  await expect.poll(() => runs()).toBeGreaterThan(4)
  const { code, stdout } = await command.stop('SIGINT')
  const early = await startCommand([...sweeping, ...client(program, marker)]).stop('SIGINT')

  expect([code, early.code]).toEqual([130, 130])
  expect(early.stdout).toBe('Interrupted before the command had run twice.\n')
  expect(stdout).toContain('annotations.deleted.visibility  hidden')
  expect(stdout).toMatch(
    /\nInterrupted\. The simulator read \d+ of \d+ settings\. \d of \d other services tried: 1 dependence \(1 source\)\.\n$/,
  )
})
