use super::*;

fn chart(body: &str) -> Flowchart {
    Flowchart::read(&format!("flowchart TD\n{body}\n")).unwrap_or_else(|| panic!("not read: {body}"))
}

fn told(chart: &Flowchart) -> Vec<String> {
    let name = |at: usize| chart.nodes[at].label.replace('\n', "/");
    let line = |edge: &Edge| {
        let head = if edge.headed { ">" } else { "-" };
        format!("{} {}{head} {}", name(edge.from), edge.label, name(edge.to))
    };
    chart.edges.iter().map(line).collect()
}

#[test]
fn arrows_in_all_their_spellings() {
    for (text, expected) in [
        ("a-->b", vec!["a > b"]),
        ("a --> b --> c", vec!["a > b", "b > c"]),
        ("a -->|yes, now| b", vec!["a yes, now> b"]),
        ("a -->|\"no, e.g. x\"| b", vec!["a no, e.g. x> b"]),
        ("a -- Yes --> b", vec!["a Yes> b"]),
        ("a == Yes ==> b", vec!["a Yes> b"]),
        ("a -. Yes .-> b", vec!["a Yes> b"]),
        ("a -.-> b", vec!["a > b"]),
        ("a ----> b", vec!["a > b"]),
        ("a --- b", vec!["a - b"]),
        ("a --x b", vec!["a > b"]),
        ("a & b --> c & d", vec!["a > c", "a > d", "b > c", "b > d"]),
        ("a-1 --> b_2; b_2 --> c", vec!["a-1 > b_2", "b_2 > c"]),
        ("a --> a", vec!["a > a"]),
    ] {
        assert_eq!(told(&chart(text)), expected, "{text}");
    }
}

#[test]
fn shapes_and_what_they_say() {
    let it = chart(
        "a([Start]) --> b{\"Which [one]?\"}\nb --> c[Two<br>lines]:::big\nc --> d[/slanted/] --> e((x)) --> f{{six}}\nstyle a fill:#fff\nclassDef big font-size:99px",
    );
    let kinds: Vec<(&str, Kind)> = it.nodes.iter().map(|node| (node.label.as_str(), node.kind)).collect();
    assert_eq!(
        kinds,
        [
            ("Start", Kind::End),
            ("Which [one]?", Kind::Choice),
            ("Two\nlines", Kind::Step),
            ("slanted", Kind::Step),
            ("x", Kind::End),
            ("six", Kind::Step)
        ]
    );
}

#[test]
fn what_is_not_understood_is_not_half_read() {
    for source in [
        "",
        "sequenceDiagram\nA->>B: hello",
        "stateDiagram-v2\n[*] --> a",
        "flowchart TD\nsubgraph one\na --> b",
        "flowchart TD\na --> b\nend",
        "flowchart TD\nsubgraph one\na --> b\nend\nc --> one",
        "flowchart TD\na <--> b",
        "flowchart TD\na --> ",
        "flowchart TD\na[open --> b",
        "flowchart TD\na ->",
        "flowchart TD\na -- label",
        "flowchart",
        "flowchart sideways\na --> b",
    ] {
        assert_eq!(Flowchart::read(source), None, "{source}");
    }
}

#[test]
fn groups_hold_the_steps_that_they_name_first() {
    let it = chart(
        "start --> a\nsubgraph home [\"At home\"]\ndirection LR\na --> b\nsubgraph Inside it\nc\nend\nend\nsubgraph desk[At the desk]\nb --> d\nend",
    );
    let groups: Vec<(&str, Vec<&str>)> = it
        .groups
        .iter()
        .map(|group| {
            (group.label.as_str(), group.nodes.iter().map(|at| it.nodes[*at].label.as_str()).collect())
        })
        .collect();
    assert_eq!(
        groups,
        [("At home", vec!["a", "b", "c"]), ("Inside it", vec!["c"]), ("At the desk", vec!["d"])]
    );
    assert_eq!(told(&it), ["start > a", "a > b", "b > d"]);
}

#[test]
fn huge_diagrams_are_left_alone() {
    let many: String = (0..10_000).map(|at| format!("n{at} --> n{}\n", at + 1)).collect();
    assert_eq!(Flowchart::read(&format!("flowchart TD\n{many}")), None);
    let groups = (0..100).map(|at| format!("n{at}")).collect::<Vec<_>>().join(" & ");
    assert_eq!(Flowchart::read(&format!("flowchart TD\n{groups} --> {groups}")), None);
}
