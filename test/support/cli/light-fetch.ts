/** A `fetch` for Node programs that are tests of commands: loading Node's own takes longer than the rest of them. */
export const lightFetch = `
    const http = await import('node:http')
    const fetch = (url, { method = 'GET', headers = {}, body } = {}) =>
      new Promise((resolve, reject) => {
        const request = http.request(url, { method, headers }, async (response) => {
          let text = ''
          for await (const chunk of response.setEncoding('utf8')) text += chunk
          resolve({
            status: response.statusCode,
            headers: { get: (name) => response.headers[name] ?? null },
            json: async () => JSON.parse(text),
          })
        })
        request.on('error', reject).end(body)
      })`
