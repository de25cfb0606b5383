// What the Live page measures: times from a frame to its answer, the rate, smoothed scores.

const kept = 100;
const rateWindow = 3000;

/// Times of the last answers.
export class LiveStats {
  constructor() {
    this.times = [];
    this.moments = [];
    this.answered = 0;
  }

  add(milliseconds, now) {
    this.answered += 1;
    this.times.push(milliseconds);
    if (this.times.length > kept) this.times.shift();
    this.moments.push(now);
    while (this.moments[0] < now - rateWindow) this.moments.shift();
  }

  /// Answers per second over the last three seconds; null for fewer than two.
  rate(now) {
    const recent = this.moments.filter((one) => one >= now - rateWindow);
    if (recent.length < 2) return null;
    return ((recent.length - 1) * 1000) / (recent.at(-1) - recent[0]);
  }

  /// The time that a share of the last answers stayed below; null for none.
  quantile(share) {
    if (this.times.length === 0) return null;
    const sorted = [...this.times].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
  }
}

/// Scores that follow the new ones with a time constant, so that they do not flicker.
export class Smoothing {
  constructor(milliseconds) {
    this.constant = milliseconds;
    this.reset();
  }

  reset() {
    this.scores = null;
    this.last = null;
  }

  add(scores, now) {
    if (!this.scores || this.scores.length !== scores.length || this.constant <= 0) {
      this.scores = [...scores];
    } else {
      const weight = 1 - Math.exp(-(now - this.last) / this.constant);
      this.scores = this.scores.map((old, index) => old + weight * (scores[index] - old));
    }
    this.last = now;
    return this.scores;
  }
}
