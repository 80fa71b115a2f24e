// A new secret of a key, which cannot be shown again.
import { CopyButton } from './copy-button.tsx'

export const SecretNote = ({ secret }: { secret: string }) => (
  <div class="secret" role="status">
    <p>Keep this key in a safe place. It is shown only now.</p>
    <p>
      <code>{secret}</code> <CopyButton text={secret} what="the key" />
    </p>
  </div>
)
