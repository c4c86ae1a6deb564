/** The ear tag with our letters. */
export function BrandMark({ height = 30 }: { height?: number }) {
  return (
    <svg width={(height * 26) / 30} height={height} viewBox="0 0 26 30" aria-hidden="true">
      <path
        d="M9.500 0h7A2.500 2.500 0 0 1 19 2.500V7l4.800 4.300A6 6 0 0 1 26 15.800V26a4 4 0 0 1-4 4H4a4 4 0 0 1-4-4V15.800c0-1.700.8-3.400 2.200-4.500L7 7V2.500A2.500 2.500 0 0 1 9.500 0Z"
        fill="var(--tag)"
      />
      <circle cx="13" cy="5" r="2" fill="var(--band)" />
      <path d="M6 14h3v12H6Z" fill="#15181b" />
      <path
        d="M11.500 14h2.700a6 6 0 0 1 0 12h-2.700Zm3 3v6a3 3 0 0 0 0-6Z"
        fill="#15181b"
        fillRule="evenodd"
      />
    </svg>
  )
}
