/** A Node program as a command. In it, `ask` sends a request, and `steer` calls the control API. It writes the responses to a file. */
export function nodeClient(program: string, out = '/dev/null'): string[] {
  const setup = `
    const { writeFileSync } = await import('node:fs')
    const env = process.env
    const list = '/api/projects/1/annotations/'
    const answers = []
    const ask = async (method, path, body, headers = {}) => {
      const allHeaders = { authorization: 'Bearer ' + env.UNDERSTUDY_KEY, 'content-type': 'application/json', ...headers }
      try {
        const response = await fetch(env.UNDERSTUDY_URL + path, { method, headers: allHeaders, ...(body && { body }) })
        answers.push([response.status, (await response.text()).replaceAll(env.UNDERSTUDY_URL, 'http://localhost')])
      } catch { answers.push([0, '']) }
      writeFileSync(${JSON.stringify(out)}, JSON.stringify(answers))
    }
    const steer = async (method, path, body) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(env.UNDERSTUDY_ADMIN_URL + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      if (!response.ok) throw new Error(path + ': ' + await response.text())
      return response.status === 204 ? null : response.json()
    }`
  return ['--', process.execPath, '--input-type=module', '-e', `${setup}\n${program}`]
}
