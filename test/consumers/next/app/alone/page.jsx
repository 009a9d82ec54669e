import { Count } from '../count'
import { Offline } from '../offline'

export default function Page() {
  return (
    <Offline>
      <Count token="phx_all" />
    </Offline>
  )
}
