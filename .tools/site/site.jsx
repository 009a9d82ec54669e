import { render } from 'preact'
import { useState } from 'preact/hooks'
import { startInBrowser } from '../../src/browser.ts'
import { mountInPage } from '../../src/dashboard/in-page.tsx'
import { Annotations } from '../../test/consumers/vite-react/annotations.tsx'
import example from '../../test/consumers/vite-react/main.tsx' with { type: 'text' }

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Sends a request to the simulator, as the page of an application would. */
function RequestForm({ keys }) {
  const [answer, setAnswer] = useState('')
  const send = async (event) => {
    event.preventDefault()
    const { method, path, key, body } = Object.fromEntries(new FormData(event.currentTarget))
    const authorization = key === '' ? {} : { authorization: `Bearer ${key}` }
    const response = await fetch(path, {
      method,
      headers: { 'content-type': 'application/json', ...authorization },
      ...(method !== 'GET' && body !== '' && { body }),
    }).catch(({ message }) => message)
    setAnswer(typeof response === 'string' ? response : await readText(response))
  }
  return (
    <form onSubmit={send}>
      <label>
        Method
        <select name="method">
          {methods.map((method) => (
            <option key={method}>{method}</option>
          ))}
        </select>
      </label>
      <label>
        Path
        <input name="path" defaultValue="/api/projects/1/annotations/?limit=2" required />
      </label>
      <label>
        Key
        <select name="key">
          {keys.map(({ label, value }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
          <option value="">no key</option>
        </select>
      </label>
      <label>
        Body
        <textarea name="body" rows={3} placeholder={'{"content": "Launch"}'} />
      </label>
      <button type="submit">Send</button>
      <output>{answer && <pre>{answer}</pre>}</output>
    </form>
  )
}

async function readText(response) {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return `${response.status}\n${isJson ? JSON.stringify(JSON.parse(text), null, 2) : text}`
}

function Try({ keys }) {
  return (
    <>
      <h1>Understudy</h1>
      <p>
        It simulates the <em>Plugin and Annotation Management API</em> in this page. Nothing is sent
        to a server: your browser answers what the page asks for, and the dashboard shows why.
      </p>
      <h2>The example of the README</h2>
      <Annotations />
      <details>
        <summary>Its code</summary>
        <pre>{example}</pre>
      </details>
      <h2>A request of your own</h2>
      <RequestForm keys={keys} />
      <p>
        In the console of the browser, <code>simulator</code> does the rest, such as{' '}
        <code>{"simulator.faults.add({ preset: 'slow-3g' })"}</code>.
      </p>
    </>
  )
}

const page = document.getElementById('try')
try {
  const { simulator } = await startInBrowser({ workerUrl: 'mockServiceWorker.js' })
  Object.assign(window, { simulator })
  const dashboard = document.createElement('div')
  // Its style is for it alone.
  document.getElementById('dashboard').attachShadow({ mode: 'open' }).append(dashboard)
  mountInPage(dashboard, simulator)
  render(<Try keys={simulator.keys.list()} />, page)
} catch (error) {
  render(<p role="alert">{error.message}</p>, page)
}
