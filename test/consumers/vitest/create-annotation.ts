const url = 'https://app.example.com/api/projects/1/annotations/'

/** Creates an annotation. If the network fails, it sends the request again. */
export async function createAnnotation(content: string, headers: Record<string, string>) {
  const send = () =>
    fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ content }),
    })
  return send().catch(send)
}
