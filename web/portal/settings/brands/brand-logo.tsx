import { useMutation } from '@tanstack/react-query'
import { bandColours } from '../../../../src/domain/account/brand-colours.ts'
import { api } from '../../../shared/api.ts'
import { formatList } from '../../../shared/format-list.ts'
import { toProblem } from '../../../shared/problem.ts'
import { usePortal } from '../../portal.ts'
import type { Place } from '../edits.ts'
import { FileButton } from '../file-button.tsx'
import { useSettings } from '../settings.ts'

type BrandLogoProps = { place: Place; name: string; colour: string | null; logo: string | undefined }

/** The header that customers see, and the logo in it: the server keeps only the parts that are safe to draw. */
export function BrandLogo({ place, name, colour, logo }: BrandLogoProps) {
  const { tenantId } = usePortal()
  const { set } = useSettings()
  const read = useMutation({
    mutationFn: async (file: File) => {
      const asked = api.POST('/admin/accounts/{tenant_id}/logo', {
        params: { path: { tenant_id: tenantId } },
        body: file,
        contentType: 'image/svg+xml',
      })
      return (await asked).data
    },
    onSuccess: (data) => set([...place, 'logo'], data.logo),
  })
  const failure = read.error && toProblem(read.error)
  const removed = read.data?.logo === logo ? (read.data?.removed ?? []) : []
  const { band, text } = bandColours(colour)
  return (
    <>
      <figure className="brand-preview">
        <figcaption>What customers see</figcaption>
        <div style={{ background: band, color: text }}>
          {logo ? <img src={logo} alt={`Logo of ${name}`} /> : <b>{name}</b>}
        </div>
      </figure>
      {failure && (
        <p role="alert" className="field-error">
          {failure.errors[0]?.message ?? failure.message}
        </p>
      )}
      {removed.length > 0 && (
        <p role="status" className="warn">
          We removed these parts, which a logo file can’t contain: {formatList(removed)}. Check that the logo
          still looks right.
        </p>
      )}
      <div className="row-of-buttons">
        <FileButton
          label={`Logo file for ${name}`}
          accept=".png,.svg,image/png,image/svg+xml"
          busy={read.isPending}
          choose={read.mutate}
        >
          {logo ? 'Change the logo' : 'Upload a logo'}
        </FileButton>
        {logo && (
          <button type="button" className="b s no" onClick={() => set([...place, 'logo'], undefined)}>
            Remove the logo
          </button>
        )}
      </div>
      <p className="dim">
        Upload a PNG or SVG file of up to 48 KB. On tracking and booking pages, customers see the logo instead
        of the brand’s name.
      </p>
    </>
  )
}
