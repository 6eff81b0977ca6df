import Foundation

/// The pictures of `skein pages`. They are computed.
enum PagesPicture {
  private typealias Color = [Double]

  /// A sunset behind hills.
  static let evening = landscape(
    sky: ([64, 62, 120], [250, 170, 110]), hills: [[96, 70, 110], [52, 44, 78]], sun: [255, 226, 160])

  /// Snow over a harbour.
  static let snow = landscape(
    sky: ([150, 172, 194], [226, 234, 240]), hills: [[196, 208, 218], [240, 244, 248]], flakes: true)

  /// A sun on a white background.
  static let sun = DemoPicture.png(width: 72, height: 72) { x, y in
    let (dx, dy) = (Double(x) - 35.5, Double(y) - 35.5)
    let (distance, angle) = ((dx * dx + dy * dy).squareRoot(), atan2(dy, dx))
    let isRay = distance > 22 && distance < 33 && cos(angle * 8) > 0.35
    return distance < 18 || isRay ? [250, 190, 40] : [255, 255, 255]
  }

  private static func landscape(
    sky: (Color, Color), hills: [Color], sun: Color? = nil, flakes: Bool = false
  ) -> [UInt8] {
    DemoPicture.png(width: 160, height: 120) { column, row in
      let (x, y) = (Double(column) / 160, Double(row) / 120)
      var color = zip(sky.0, sky.1).map { $0 + ($1 - $0) * min(y / 0.7, 1) }
      if let sun, pow((x - 0.68) * 1.33, 2) + pow(y - 0.5, 2) < 0.012 { color = sun }
      for (index, hill) in hills.enumerated() {
        let (far, height) = (Double(index), 0.56 + 0.16 * Double(index))
        if y > height + 0.07 * sin(x * (5 + 3 * far) + far * 2) + 0.025 * sin(x * 17 + far) { color = hill }
      }
      if flakes, (column &* 7919 &+ row &* 104_729) % 61 == 0 { color = [255, 255, 255] }
      return color.map { UInt8(min(max($0, 0), 255)) }
    }
  }
}
