import { render } from 'preact'
import { readToken, takeTokenFromUrl } from './kit/token.ts'
import { App } from './shell/app.tsx'

takeTokenFromUrl(location, history, sessionStorage)
// A reverse proxy may serve everything below a path prefix.
const url = location.origin + location.pathname.replace(/\/__admin\/.*$/, '')

render(
  <App url={url} initialToken={readToken(sessionStorage)} />,
  document.getElementById('app') as HTMLElement,
)
