import { renderToReadableStream } from 'react-dom/server'
import { ServerRouter } from 'react-router'

export default async function handleRequest(request, status, headers, context) {
  const page = <ServerRouter context={context} url={request.url} />
  headers.set('content-type', 'text/html')
  return new Response(await renderToReadableStream(page), { status, headers })
}
