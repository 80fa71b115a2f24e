// The open streams of an account.
import { foreign, whole } from '../format.ts'
import { Panel } from './panel.tsx'
import { Empty } from './state.tsx'
import { When } from './when.tsx'

interface OpenStream {
  openedAt: string
  keyId: string
  keyName: string
}

export const StreamPanel = ({ streams, most }: { streams: readonly OpenStream[]; most: number }) => (
  <Panel title="Open streams">
    {streams.length === 0 ? (
      <Empty>No stream is open. Your plan allows {whole(most)} at a time.</Empty>
    ) : (
      <table>
        <thead>
          <tr>
            <th scope="col" class="text">
              Key
            </th>
            <th scope="col" class="text">
              Opened
            </th>
          </tr>
        </thead>
        <tbody>
          {streams.map(({ openedAt, keyId, keyName }) => (
            <tr key={`${keyId} ${openedAt}`}>
              <th scope="row" class="text wrap">
                {keyName ? foreign(keyName, 60) : `Key ${keyId}`}
              </th>
              <td class="text">
                <When iso={openedAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </Panel>
)
