import { Icon } from '../shared/icons.tsx'
import { smallPhoto } from './photo.ts'

/** A photo as it is sent, its preview, and when it was taken by the phone's clock. */
export type Photo = { base64: string; url: string; at: string }

export const UNREADABLE = 'We can’t read that photo. Take it again.'

type PhotoTakerProps = {
  photo: Photo | null
  /** Called with null if the photo cannot be read. */
  onTaken(photo: Photo | null): void
  /** What the photo should show, if that is not obvious. */
  words?: string
}

/** The phone's camera, and the photo that was taken. */
export function PhotoTaker({ photo, onTaken, words = 'Take a photo' }: PhotoTakerProps) {
  const shoot = async (file: File | undefined) => {
    if (!file) return
    const at = new Date().toISOString()
    onTaken(
      await smallPhoto(file).then(
        (made) => ({ ...made, at }),
        () => null,
      ),
    )
  }
  const clock =
    photo && new Date(photo.at).toLocaleTimeString('en-AU', { hour: 'numeric', minute: '2-digit' })
  return (
    <div className={`photo ${photo ? 'has' : ''}`}>
      {photo && <img src={photo.url} alt="What you have just taken" />}
      {clock && (
        <span className="ok">
          <Icon name="tick" size={18} /> {clock}
        </span>
      )}
      <label className="half re">
        <Icon name="camera" size={20} /> {photo ? 'Again' : words}
        <input
          type="file"
          accept="image/*"
          capture="environment"
          onChange={(event) => shoot(event.target.files?.[0])}
        />
      </label>
    </div>
  )
}
