import { expect, test } from 'vitest'
import { run } from '../support/cli/command.ts'
import { startSmallServer } from '../support/small-server.ts'

test.each(['observe', 'check'])(
  '%s without --project says which list of projects is missing, and how to name one',
  async (command) => {
    const { url } = await startSmallServer()

    const result = await run([command, '--target', url, '--key', 'phx_mine'])
    const other = await run([command, '--target', url, '--key', 'phx_mine', '--project', '7'])

    expect(result).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'The server does not respond like this API: it shows no list of projects (GET /api/projects/ returned 404), and GET /api/projects/@current/annotations/ returned 404. Name a project with --project, and an organization with --organization.\n',
    })
    expect(other).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'The server does not respond like this API: GET /api/projects/7/annotations/ returned 404. Check --target and --project.\n',
    })
  },
)
