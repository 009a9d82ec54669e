import { render } from 'preact'
import { App } from './shell/app.tsx'
import { readToken } from './shell/token.tsx'

const token = readToken(location, history, sessionStorage)
// Behind a proxy the API may begin below a path.
const url = location.origin + location.pathname.replace(/\/__admin\/.*$/, '')

render(<App url={url} initialToken={token} />, document.getElementById('app') as HTMLElement)
