import { lightFetch } from '../../support/cli/light-fetch.ts'

/**
 * A Node program as the command of a sweep. In it, `ask` sends a request and returns the status, and `env` is the
 * environment.
 */
export function client(program: string, ...args: readonly string[]): string[] {
  const setup = `${lightFetch}
    const env = process.env
    const list = '/api/projects/' + env.UNDERSTUDY_PROJECT_ID + '/annotations/'
    const ask = async (path, method = 'GET', body) => {
      const headers = { authorization: 'Bearer ' + env.UNDERSTUDY_KEY, 'content-type': 'application/json' }
      return (await fetch(env.UNDERSTUDY_URL + path, { method, headers, body })).status
    }`
  const path = process.execPath
  return ['--', path, '--input-type=module', '-e', `${setup}\n${program}`, '--', ...args]
}
