"""The rules for Prometheus, config/deploy/alerts.yaml, made from `service.operators.rules` and written anew by

python -m tests.alerts
"""

import json
import sys
from pathlib import Path

from service.operators.rules import RULES, Rule

FILE = Path(__file__).parents[1] / "config/deploy/alerts.yaml"
HEAD = """# Alert rules for Prometheus, over /metrics (SLOWTRAIN_METRICS_TOKEN), scraped as the job "slowtrain":
#   scrape_configs:
#     - job_name: slowtrain
#       authorization: {credentials_file: /etc/prometheus/slowtrain.token}
#       static_configs: [{targets: ["127.0.0.1:8000"]}]
# `python -m tests.alerts` makes this file from service/operators/rules.py; a test compares them.
groups:
  - name: slowtrain
    rules:
"""


def written() -> str:
    """Return the whole file."""
    return HEAD + "".join(map(_rule, RULES))


def _rule(rule: Rule) -> str:
    summary = rule.summary + (f": {{{{ $labels.{rule.names} }}}}" if rule.names else "")
    lasting = f"        for: {rule.minutes}m\n" if rule.minutes else ""
    return (
        f"      - alert: {rule.alert}\n"
        f"        expr: {rule.expr}\n"
        f"{lasting}"
        f"        labels: {{severity: {rule.severity}}}\n"
        "        annotations:\n"
        f"          summary: {json.dumps(summary, ensure_ascii=False)}\n"
        f"          remedy: {json.dumps(rule.remedy, ensure_ascii=False)}\n"
    )


if __name__ == "__main__":
    FILE.write_text(written())
    sys.stdout.write(f"{FILE} is written.\n")
